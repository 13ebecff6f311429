"""The tools that ask agents for something, and the worker that lets agents do it."""
