package main

import "breakwater/scenes/shipped"

type showCommand struct {
	Scene string `arg:"" help:"A shipped scene (see \"breakwater list\")."`
}

func (c *showCommand) Run(con *console) error {
	text, err := shipped.Source(c.Scene)
	if err != nil {
		return usageError{err}
	}
	_, err = con.stdout.Write(text)
	return err
}
