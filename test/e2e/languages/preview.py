"""Previews the program in this folder as its host would: Pulumi's Automation API runs it."""

import runpy

from pulumi import automation

stack = automation.create_or_select_stack(
    stack_name="test",
    project_name="stores-in-python",
    program=lambda: runpy.run_path("__main__.py"),
    opts=automation.LocalWorkspaceOptions(work_dir="."),
)
stack.preview(on_output=print)
