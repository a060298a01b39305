package main

type checkCommand struct {
	sceneArg
	changes
}

func (c *checkCommand) Run(con *console) error {
	_, err := c.load(c.Scene)
	return err
}
