"""Models through pydantic-ai, with models that are functions: none is reached over the network."""

from collections.abc import Generator
from pathlib import Path

import pytest

from syncline.git import Repository
from syncline.repair.agents.ask import ask
from syncline.repair.agents.model import ModelAgent
from syncline.repair.agents.verdict import Accepted, Refused
from testing.builder import RepositoryBuilder
from tests.repair.agents.scripted import BOTH, LIMITS, Scene, build, scene

pytest.importorskip("pydantic_ai", reason="pydantic-ai-slim is not installed: it is in the group dev")

from pydantic_ai import models
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel


@pytest.fixture
def made(builder: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch) -> Generator[Scene]:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", False)
    built = build(builder)
    with Repository.open(built.path) as repository:
        yield scene(built, repository, must_pass=())


def test_a_model_reads_and_settles(made: Scene) -> None:
    seen: list[str] = []

    def answers(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        back = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        if not back:
            assert [tool.name for tool in info.function_tools] == ["read"]
            return ModelResponse([ToolCallPart("read", {"path": "shape.py", "version": "theirs", "line": 4})])
        seen.append(str(back[-1].content))
        said = {"reason": "both", "edits": [{"path": "shape.py", "content": BOTH}]}
        return ModelResponse([ToolCallPart(info.output_tools[0].name, said)])

    done = ask([ModelAgent.of("fn", FunctionModel(answers))], made.task, made.guard, LIMITS)
    assert isinstance(done, Accepted), done
    assert seen[0].startswith("def area(width, height):\n    return abs(")
    assert done.edits == {b"shape.py": BOTH.encode()}
    assert done.cost.turns == 2
    assert done.cost.tokens


def test_a_model_that_only_talks_is_refused(made: Scene) -> None:
    talks = FunctionModel(lambda _messages, _info: ModelResponse([TextPart("done, trust me")]))
    done = ask([ModelAgent.of("talker", talks)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert done.why[0].startswith("talker: the model gave no answer")


def test_a_model_without_edits_is_refused(made: Scene) -> None:
    nothing = TestModel(call_tools=[], custom_output_args={"reason": "no idea"})
    done = ask([ModelAgent.of("nothing", nothing)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert done.why == ("nothing: it gave no edits; a model must",)


def test_its_turns_are_bounded(made: Scene, tmp_path: Path) -> None:
    again = FunctionModel(lambda _messages, _info: ModelResponse([ToolCallPart("read", {"path": str(tmp_path)})]))
    done = ask([ModelAgent.of("loops", again)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert "request_limit" in done.why[0]


def test_a_model_that_is_not_known_is_told(made: Scene) -> None:
    done = ask([ModelAgent.of("x", "nobody:nothing")], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert done.why[0].startswith("x: the model gave no answer")
