"""What lands on which branch, in order. The files of each proposal are on the shelf under its number."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from syncline.demo import shelf
from syncline.demo.history import Branch
from syncline.demo.people import ARJUN, HANNAH, LUCA, MEI, PRIYA, TOMASZ
from syncline.git import Repository
from syncline.git.commit import Person

_FIRST = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
_BETWEEN = timedelta(hours=7, minutes=13)


def when(number: int) -> datetime:
    """When proposal `number` landed. Both branches share the numbers, so dates and numbers agree."""
    return _FIRST + (number - 90) * _BETWEEN


def land(
    branch: Branch,
    number: int,
    subject: str,
    *,
    by: Person,
    body: str = "",
    move: Mapping[str, str] | None = None,
    delete: Iterable[str] = (),
    executable: Iterable[str] = (),
) -> None:
    """Add proposal `number` to `branch` as one commit, as a squash merge on a forge does."""
    place = f"{branch.name}/{number}"
    branch.commit(
        f"{subject} (#{number})\n" + (f"\n{body}\n" if body else ""),
        by=by,
        when=when(number),
        write=shelf.texts(place),
        change=shelf.edits(place),
        move=move,
        delete=delete,
        executable=executable,
    )


def write_opening(repository: Repository) -> tuple[Branch, Branch]:
    """Write what the branches have in common, up to the last sync; return (main, dev)."""
    main = Branch(repository, "main", repository.empty_tree)
    land(main, 90, "Layers, data and the functions they need", by=PRIYA)
    land(main, 91, "Optimizer, schedule and the training loop", by=TOMASZ)
    land(main, 92, "Checkpoints", by=MEI)
    dev = main.fork("dev")
    land(dev, 94, "Say what dev is for", by=HANNAH)
    land(main, 95, "Bring over what 0.3 runs still need", by=LUCA)
    land(
        main,
        96,
        "CI: image, lock file, linter, code owners, launch script",
        by=HANNAH,
        executable=["scripts/launch.sh"],
    )
    land(main, 97, "Golden values of the tiny run", by=ARJUN)
    dev.merge(main, "Sync main into dev (#98)\n", by=HANNAH, when=when(98))
    return main, dev


def write_slice(main: Branch) -> None:
    """Let `main` grow by the twenty commits that the next sync takes."""
    land(main, 102, "Router: send each token to one expert", by=PRIYA)
    land(main, 104, "CI: Python 3.12 image, uv 0.5, coverage 7.6", by=HANNAH)
    land(main, 106, "Router: choose the k best experts", by=PRIYA)
    land(
        main,
        108,
        "Call the timers module profiling",
        by=LUCA,
        body="More than timers will live there. `tinytron.timers` is gone; import `tinytron.profiling`.",
        move={"tinytron/timers.py": "tinytron/profiling.py", "tests/test_timers.py": "tests/test_profiling.py"},
    )
    land(main, 110, "Stop when the loss is not finite", by=MEI)
    land(
        main,
        112,
        "Remove the legacy sampler",
        by=TOMASZ,
        body="The last run that needed it was repeated in February.",
        delete=["tinytron/legacy_sampler.py", "tests/test_legacy_sampler.py"],
    )
    land(main, 114, "Router: hold back experts that are busy", by=PRIYA)
    land(main, 116, "Format schedule.py", by=LUCA, body="No change in what it does.")
    land(main, 118, "Code owners: the router has its own people", by=PRIYA)
    land(
        main,
        120,
        "Rename clip_grads to clip_grad_norm",
        by=TOMASZ,
        body="It clips the norm, not the single values; a function for those will follow.",
    )
    land(main, 122, "Perplexity", by=MEI)
    land(main, 124, "Activation recompute", by=ARJUN, body="Squashed from dev: #101, #105, #111.")
    land(main, 126, "Evaluate on unseen data and keep the best model", by=MEI)
    land(main, 128, "generate: stop at a token", by=ARJUN)
    land(main, 130, "launch.sh: give up after a while", by=HANNAH)
    land(main, 132, "Golden values: times of the new machines", by=HANNAH)
    land(main, 134, "--eval-interval", by=MEI)
    land(main, 136, "Docs: the 0.3 interface is gone", by=LUCA, delete=["docs/old_api.md"])
    land(main, 138, "Make the linter executable", by=LUCA, executable=["tools/lint.py"])
    land(main, 140, "README: how to train and listen", by=TOMASZ)


def write_rest(main: Branch) -> None:
    """Let `main` grow by what is left for the sync after that; it merges cleanly then."""
    land(main, 142, "load_checkpoint: name the file that is missing", by=MEI)
    land(main, 144, "Example: how good is the model?", by=MEI)
    land(main, 146, "Export the weights as a table", by=ARJUN)
    land(main, 148, "Docs: evaluation", by=MEI)
    land(main, 150, "README: the linter", by=LUCA)


def write_dev(dev: Branch) -> None:
    """Let `dev` grow."""
    land(dev, 101, "Recompute: a layer that forgets", by=ARJUN)
    land(
        dev, 103, "Draw weights after Glorot and Bengio", by=MEI, body="The losses of the golden run move with it."
    )
    land(dev, 105, "Recompute: every n-th layer, --recompute-every", by=ARJUN)
    land(
        dev,
        107,
        "Start runs with python -m tinytron.launch",
        by=HANNAH,
        body="It took the place of scripts/launch.sh.",
        delete=["scripts/launch.sh"],
    )
    land(
        dev,
        109,
        "Checkpoints hold the state of the random numbers",
        by=TOMASZ,
        body="`save_checkpoint` must be told it: a run that goes on with other numbers is another run.",
    )
    land(dev, 111, "Recompute: count the values that are kept", by=ARJUN)
    land(dev, 113, "Router", by=PRIYA, body="Squashed from main: #102, #106.")
    land(dev, 115, "Legacy sampler: take seeds beyond 31 bits", by=TOMASZ)
    land(dev, 117, "Linear decay, and a smallest learning rate", by=MEI)
    land(dev, 119, "generate: a prompt that is finished stays as it is", by=LUCA)
    land(dev, 121, "Log the loss, --log-interval", by=LUCA)
    land(dev, 123, "CI: coverage 7.5, hypothesis, uv 0.4.30", by=HANNAH)
    land(dev, 125, "Recompute: leave the last layer alone", by=ARJUN)
    land(dev, 127, "Finetune on a few sentences", by=PRIYA)
    land(dev, 129, "Code owners: recomputation and launching", by=ARJUN)
    land(dev, 131, "Moving average", by=LUCA)
    land(
        dev,
        133,
        "Drop the loss scaler, nothing uses half precision",
        by=TOMASZ,
        delete=["tinytron/fp16_scaler.py", "tests/test_fp16_scaler.py"],
    )
    land(dev, 135, "Timers can start over", by=MEI)
    land(dev, 137, "A rank's share of a batch", by=PRIYA)
    land(dev, 139, "Docs: how dev is tested", by=HANNAH)
    land(dev, 141, "Example: count down", by=PRIYA)
    land(dev, 143, "Adam will need the names of parameters", by=TOMASZ)
