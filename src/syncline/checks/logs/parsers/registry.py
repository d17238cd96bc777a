"""All parsers, one class each, in the order of their names."""

from syncline.checks.logs.parser import Parser
from syncline.checks.logs.parsers.black import Black, Isort
from syncline.checks.logs.parsers.cargo_test import CargoTest
from syncline.checks.logs.parsers.ctest import Ctest
from syncline.checks.logs.parsers.cuda import Cuda
from syncline.checks.logs.parsers.docker import Docker
from syncline.checks.logs.parsers.dotnet import Dotnet, DotnetTest
from syncline.checks.logs.parsers.eslint import Eslint
from syncline.checks.logs.parsers.flake8 import Flake8
from syncline.checks.logs.parsers.gcc import Gcc
from syncline.checks.logs.parsers.git import Git
from syncline.checks.logs.parsers.github import Github
from syncline.checks.logs.parsers.go_build import GoBuild
from syncline.checks.logs.parsers.go_test import GoTest
from syncline.checks.logs.parsers.gtest import Gtest
from syncline.checks.logs.parsers.java import Java
from syncline.checks.logs.parsers.javac import Javac, Kotlinc, Scalac
from syncline.checks.logs.parsers.jest import Jest
from syncline.checks.logs.parsers.junit import Junit, JunitXml
from syncline.checks.logs.parsers.jvm_builds import Gradle, Maven
from syncline.checks.logs.parsers.kubernetes import Kubernetes
from syncline.checks.logs.parsers.make import Cmake, Make, Ninja
from syncline.checks.logs.parsers.mocha import Mocha
from syncline.checks.logs.parsers.msvc import Msvc
from syncline.checks.logs.parsers.mypy import Mypy
from syncline.checks.logs.parsers.native import Native
from syncline.checks.logs.parsers.node import Node
from syncline.checks.logs.parsers.npm import Npm, Pnpm, Yarn
from syncline.checks.logs.parsers.nvcc import Nvcc
from syncline.checks.logs.parsers.packages import Apt, Bundler, Composer
from syncline.checks.logs.parsers.php import Php, Phpstan, Phpunit
from syncline.checks.logs.parsers.pip import Pip, Uv
from syncline.checks.logs.parsers.pre_commit import PreCommit
from syncline.checks.logs.parsers.pylint import Pylint
from syncline.checks.logs.parsers.pyrefly import Pyrefly
from syncline.checks.logs.parsers.pyright import Pyright
from syncline.checks.logs.parsers.pytest import Pytest
from syncline.checks.logs.parsers.python import PythonTraceback
from syncline.checks.logs.parsers.ruby import Minitest, Rspec, Ruby
from syncline.checks.logs.parsers.ruff import Ruff
from syncline.checks.logs.parsers.rustc import Rustc
from syncline.checks.logs.parsers.shell import Kernel, Shell
from syncline.checks.logs.parsers.shellcheck import Shellcheck
from syncline.checks.logs.parsers.slurm import Slurm
from syncline.checks.logs.parsers.swift import Swift
from syncline.checks.logs.parsers.tap import NodeTest, Tap
from syncline.checks.logs.parsers.torchrun import Torchrun
from syncline.checks.logs.parsers.tsc import Tsc
from syncline.checks.logs.parsers.ty import Ty
from syncline.checks.logs.parsers.unittest import Unittest
from syncline.checks.logs.parsers.vitest import Vitest

PARSERS: tuple[type[Parser], ...] = (
    Apt,
    Black,
    Bundler,
    CargoTest,
    Cmake,
    Composer,
    Ctest,
    Cuda,
    Docker,
    Dotnet,
    DotnetTest,
    Eslint,
    Flake8,
    Gcc,
    Git,
    Github,
    GoBuild,
    GoTest,
    Gradle,
    Gtest,
    Isort,
    Java,
    Javac,
    Jest,
    Junit,
    JunitXml,
    Kernel,
    Kotlinc,
    Kubernetes,
    Make,
    Maven,
    Minitest,
    Mocha,
    Msvc,
    Mypy,
    Native,
    Ninja,
    Node,
    NodeTest,
    Npm,
    Nvcc,
    Php,
    Phpstan,
    Phpunit,
    Pip,
    Pnpm,
    PreCommit,
    Pylint,
    Pyrefly,
    Pyright,
    Pytest,
    PythonTraceback,
    Rspec,
    Ruby,
    Ruff,
    Rustc,
    Scalac,
    Shell,
    Shellcheck,
    Slurm,
    Swift,
    Tap,
    Torchrun,
    Tsc,
    Ty,
    Unittest,
    Uv,
    Vitest,
    Yarn,
)
