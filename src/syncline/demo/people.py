"""Who works on tinytron."""

from syncline.git.commit import Person

PRIYA = Person("Priya Raman", "priya@tinytron.example")
TOMASZ = Person("Tomasz Wolny", "tomasz@tinytron.example")
MEI = Person("Mei Lindqvist", "mei@tinytron.example")
ARJUN = Person("Arjun Castellanos", "arjun@tinytron.example")
HANNAH = Person("Hannah Osei", "hannah@tinytron.example")
LUCA = Person("Luca Ferri", "luca@tinytron.example")
DANA = Person("Dana Okafor", "dana@tinytron.example")
"""Settles what a sync leaves open."""
