"""The commands, one module a theme; each is loaded when it is first typed."""
