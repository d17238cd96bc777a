"""syncline keeps a long-lived branch in step with another one."""

__version__ = "0.1.0"
