"""The product's version, known without asking the installer's records."""

VERSION = "0.1.0"
