"""The parts of a three-way merge: where it starts from, and what each kind of thing needs."""
