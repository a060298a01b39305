// Package kubernetes decodes and validates the Jobs of the engine kubernetes as the server
// of Kubernetes does. It is a module of its own, so that the program does not depend on the
// modules of Kubernetes.
package kubernetes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchinstall "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/batch/validation"
	coreinstall "k8s.io/kubernetes/pkg/apis/core/install"
)

// check returns the faults that a server finds in a manifest, in which the script has
// replaced the words between @.
func check(manifest string) error {
	manifest = strings.NewReplacer("@RUN@", "4294967295", "@IMAGE@", "registry.local/breakwater:1", "@CLAIM@", "shared", "@MOUNT@", "/shared",
		"@FOLDER@", "/shared/a run", `"@USER@"`, "1000", `"@GROUP@"`, "1000").Replace(manifest)
	if strings.Contains(manifest, "@") {
		return errors.New("a word between @ is left")
	}
	scheme := runtime.NewScheme()
	batchinstall.Install(scheme)
	coreinstall.Install(scheme)
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Strict: true})
	object, _, err := strict.Decode([]byte(manifest), nil, nil)
	if err != nil {
		return err
	}
	job, ok := object.(*batchv1.Job)
	if !ok {
		return fmt.Errorf("it is a %T", object)
	}
	// The server sets these before it validates.
	job.Namespace, job.UID = "film", "1"
	labels := map[string]string{
		batchv1.ControllerUidLabel: "1", "controller-uid": "1",
		batchv1.JobNameLabel: job.Name, "job-name": job.Name,
	}
	for name, value := range labels {
		job.Spec.Template.Labels[name] = value
	}
	job.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: "1"}}
	scheme.Default(job)
	var in batch.Job
	if err := scheme.Convert(job, &in, nil); err != nil {
		return err
	}
	return validation.ValidateJob(&in, validation.JobValidationOptions{RequirePrefixedLabels: true}).ToAggregate()
}

func TestJobs(t *testing.T) {
	files, err := filepath.Glob("../../scenes/farm/testdata/*kubernetes/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d manifests, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(string(text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		// Faults are found.
		for _, c := range [][3]string{
			{"parallelism", "paralelism", "unknown field"},
			{`"Indexed"`, `"Indexd"`, "completionMode"},
			{`"Never"`, `"OnFailure"`, "restartPolicy"},
			{"Mi\"", "Mo\"", "quantities"},
			{"FailJob", "FailPod", "podFailurePolicy"},
			{`"name": "shared", "mountPath"`, `"name": "disk", "mountPath"`, "volumeMounts"},
			{"bw-@RUN@", "BW-@RUN@", "metadata.name"},
		} {
			wrong := strings.ReplaceAll(string(text), c[0], c[1])
			if err := check(wrong); wrong == string(text) || err == nil || !strings.Contains(err.Error(), c[2]) {
				t.Errorf("%s with %s: %v", file, c[1], err)
			}
		}
	}
}
