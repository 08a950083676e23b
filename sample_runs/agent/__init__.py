"""A small scripted agent: real tools in a throw-away workspace, a clock that only a script moves, a recorder."""
