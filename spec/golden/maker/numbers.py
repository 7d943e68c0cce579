"""Vectors of spawn costs, fees, fee splits, resync penalties and billing epochs: D-04, D-31, D-38; sections 4.5, 4.8, 4.10."""

from fractions import Fraction
from math import floor

from .fixed import DAY_MS

# Section 4.8 states these six itself.
CHECK_VALUES = {(0, 0): 1000, (0, 1): 1200, (1, 0): 1500, (1, 1): 1800, (2, 0): 2250, (2, 3): 3888}


def spawn_case(depth, siblings):
    depth_cost = 1000 * 3**depth // 2**depth
    cost = depth_cost * 12**siblings // 10**siblings
    # Correctly rounded double powers, as the best of mathematics libraries would give them.
    double_depth_cost = floor(1000.0 * float(Fraction(1.5) ** depth))
    double_cost = floor(float(double_depth_cost) * float(Fraction(1.2) ** siblings))
    stated = CHECK_VALUES.get((depth, siblings))
    if stated is not None and stated != cost:
        raise AssertionError(f"section 4.8 states {stated} at {depth}/{siblings}, the formula gives {cost}")
    return {
        "name": f"{depth}/{siblings}",
        "depth": depth,
        "siblings": siblings,
        "depth_cost": depth_cost,
        "cost": cost,
        "check_value": stated is not None,
        "float_trap": double_cost != cost,
    }


def spawn_costs():
    return {
        "about": "Spawn cost in beats by the parent's depth and its children so far, in exact integers; check_value marks the specification's own six, float_trap where double arithmetic is off (D-31; section 4.8).",
        "cases": [spawn_case(depth, siblings) for depth in range(13) for siblings in range(13)],
    }


def heartbeat_fee(position):
    if position <= 100:
        return 1, 500000
    if position <= 1000:
        return 2, 300000
    return 3, 200000


def fee_tiers():
    cases = []
    for position in (1, 99, 100, 101, 102, 999, 1000, 1001, 1002, 5000, 20000):
        tier, lamports = heartbeat_fee(position)
        cases.append(
            {
                "name": f"heartbeat {position} of the epoch",
                "heartbeat_in_epoch": position,
                "tier": tier,
                "lamports": lamports,
                "amount_sol": lamports / 10**9,
            }
        )
    return {
        "about": "Fee and tier of the n-th heartbeat of a billing epoch, counted from 1 with the heartbeat itself (section 4.5; D-44).",
        "cases": cases,
    }


FEES = (500000, 300000, 200000, 50000000, 150000000, 350000000, 5000, 1, 7, 9999)
YEAR_MS = 365 * DAY_MS
MOMENTS = (
    ("day 0", 0),
    ("day 364", 364 * DAY_MS),
    ("1 ms before day 365", YEAR_MS - 1),
    ("day 365", YEAR_MS),
    ("day 3285", 9 * YEAR_MS),
    ("1 ms before day 3650", 10 * YEAR_MS - 1),
    ("day 3650", 10 * YEAR_MS),
    ("day 4015", 11 * YEAR_MS),
)


def split_case(moment, elapsed_ms, fee):
    years = elapsed_ms // YEAR_MS
    released = min(100 * years, 1000)
    bps = {"operations": 3000, "contributors": 3000, "development": 1500 - released, "treasury": 1500 + released, "referral": 1000}
    lamports = {share: fee * part // 10000 for share, part in bps.items()}
    lamports["treasury"] = 0
    lamports["treasury"] = fee - sum(lamports.values())
    return {
        "name": f"{fee} lamports on {moment}" if moment.startswith("day") else f"{fee} lamports {moment}",
        "fee_lamports": fee,
        "elapsed_ms": elapsed_ms,
        "elapsed_days": elapsed_ms // DAY_MS,
        "years": years,
        "bps": bps,
        "lamports": lamports,
    }


def fee_splits():
    return {
        "about": "Shares of a fee by time since the service's genesis: floored to the lamport, the rest to treasury, development falling by 100 bps a full 365 days to 500 (D-38; section 4.5).",
        "cases": [split_case(moment, elapsed_ms, fee) for moment, elapsed_ms in MOMENTS for fee in FEES],
    }


def resync_penalties():
    return {
        "about": "Beats to prove for a resync by anchors missed, 100 each up to 10,000 (sections 4.10, 8).",
        "cases": [
            {"name": f"{missed} missed", "missed_anchors": missed, "beats": min(100 * missed, 10000)}
            for missed in (1, 61, 99, 100, 101, 1000)
        ],
    }


def epochs():
    return {
        "about": "Billing epoch of a global beat, 100,000 beats each (D-04; sections 4.5, 8).",
        "cases": [
            {"name": f"beat {beat}", "beat": beat, "billing_epoch": beat // 100000}
            for beat in (0, 99999, 100000, 199999, 200000)
        ],
    }
