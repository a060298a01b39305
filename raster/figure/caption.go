package figure

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes the caption as plain text.
func (p *Plot) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, plain.Replace(p.Caption)+"\n")
	return err
}

// WriteTeX writes a LaTeX figure that shows the file of the given name, without
// its ending, and has the caption. It is all ASCII, and needs graphicx alone.
func (p *Plot) WriteTeX(w io.Writer, name string) error {
	_, err := fmt.Fprintf(w, "\\begin{figure}\n  \\centering\n  \\includegraphics[width=\\linewidth]{%s}\n  \\caption{%s}\n  \\label{fig:%s}\n\\end{figure}\n",
		name, latex(p.Caption), name)
	return err
}

// plain writes lower and higher letters in line.
var plain = strings.NewReplacer("_{", "_", "^{", "^", "}", "")

// latex returns s in LaTeX notation.
func latex(s string) string {
	var b strings.Builder
	for _, run := range runs(s) {
		open, end := "", ""
		switch run.level {
		case -1:
			open, end = "$_{\\mathrm{", "}}$"
		case 1:
			open, end = "$^{\\mathrm{", "}}$"
		}
		b.WriteString(open)
		for _, r := range run.text {
			t, ok := texOf[r]
			switch {
			case ok && strings.HasPrefix(t, "$") && run.level != 0:
				t = strings.Trim(t, "$")
			case !ok:
				t = string(r)
			}
			b.WriteString(t)
		}
		b.WriteString(end)
	}
	return b.String()
}

// texOf has what LaTeX does not read as it stands.
var texOf = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '%': `\%`, '&': `\&`, '#': `\#`, '$': `\$`, '_': `\_`, '~': `\textasciitilde{}`, '^': `\textasciicircum{}`,
	'<': "$<$", '>': "$>$", '|': "$|$", '−': "$-$", '×': `$\times$`, '·': `$\cdot$`, '±': `$\pm$`, '≤': `$\le$`, '≥': `$\ge$`, '≈': `$\approx$`, '∞': `$\infty$`,
	'√': `$\surd$`, '∇': `$\nabla$`, '∂': `$\partial$`, '∫': `$\int$`, 'Σ': `$\sum$`, '∑': `$\sum$`, '→': `$\to$`, '°': `$^\circ$`, '′': `$'$`, '…': `\dots{}`,
	'¹': "$^1$", '²': "$^2$", '³': "$^3$", '⁴': "$^4$", '⁻': "$^-$", '₀': "$_0$", '₁': "$_1$", '₂': "$_2$", '½': `$\frac12$`,
	'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'δ': `$\delta$`, 'Δ': `$\Delta$`, 'ε': `$\varepsilon$`, 'λ': `$\lambda$`, 'μ': `$\mu$`, 'ν': `$\nu$`, 'π': `$\pi$`,
	'ρ': `$\rho$`, 'σ': `$\sigma$`, 'τ': `$\tau$`, 'φ': `$\varphi$`, 'ω': `$\omega$`, 'Ω': `$\Omega$`,
	'“': "``", '”': "''", '‘': "`", '’': "'", '–': "--", '—': "---", 'é': `\'e`, 'ö': `\"o`, 'ü': `\"u`, 'ä': `\"a`,
}
