// The job type of Breakwater for Flamenco 3: a task of Flamenco for each task of a plan.
// Copy this file into the folder "scripts" beside the manager once, and restart it.
const JOB_TYPE = {
    label: "Breakwater",
    description: "Simulate and film a liquid, by a plan of breakwater farm",
    settings: [
        { key: "program", type: "string", required: true, description: "The program, as workers find it" },
        { key: "folder", type: "string", subtype: "dir_path", required: true, description: "Folder of the run, with the plan in it" },
        { key: "threads", type: "int32", required: true, description: "Threads of a task" },
        { key: "tasks", type: "string", required: true, visible: "hidden", description: "The tasks to run, as JSON" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    const made = {};
    for (const planned of JSON.parse(settings.tasks)) {
        const task = author.Task(planned.id, "misc");
        task.addCommand(author.Command("exec", {
            exe: settings.program,
            // Events come every 15 s, so that no manager takes the task for dead.
            args: ["farm", "task", settings.folder, planned.id, "--threads=" + settings.threads, "--json"],
        }));
        for (const id of planned.after) {
            task.addDependency(made[id]);
        }
        job.addTask(task);
        made[planned.id] = task;
    }
}
