"""Every audit, by the name people know it under, in the order in which they run."""

from collections.abc import Mapping

from syncline.audit.compiles import compiles
from syncline.audit.coupled import out_of_step
from syncline.audit.deleted import deleted
from syncline.audit.doubled import doubled
from syncline.audit.dropped.dropped import dropped
from syncline.audit.evil import changed_by_hand
from syncline.audit.files.collisions import colliding_paths
from syncline.audit.files.endings import flipped_endings
from syncline.audit.files.golden import new_nan
from syncline.audit.files.modes import wrong_modes
from syncline.audit.files.secrets import new_secrets
from syncline.audit.files.sizes import too_large
from syncline.audit.files.submodules import wrong_submodules
from syncline.audit.files.symlinks import broken_links
from syncline.audit.fits.fits import fits
from syncline.audit.import_cycles import import_cycles
from syncline.audit.markers import leftover_markers
from syncline.audit.patterns import wrong_together
from syncline.audit.policy import broken_promises
from syncline.audit.task import Audit

AUDITS: Mapping[str, Audit] = {
    "markers": leftover_markers,
    "policy": broken_promises,
    "compiles": compiles,
    "dropped": dropped,
    "doubled": doubled,
    "deleted": deleted,
    "imports": import_cycles,
    "coupled": out_of_step,
    "modes": wrong_modes,
    "symlinks": broken_links,
    "submodules": wrong_submodules,
    "collisions": colliding_paths,
    "sizes": too_large,
    "endings": flipped_endings,
    "golden": new_nan,
    "secrets": new_secrets,
    "patterns": wrong_together,
    "by-hand": changed_by_hand,
    "fits": fits,
}
