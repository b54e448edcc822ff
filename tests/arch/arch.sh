#!/bin/bash
# SPDX-License-Identifier: MIT
# The shape of the source, enforced (TAP): which room may include which, what the objects of the
# library may call, where a double may stand, what is exported, and that every theorem has its page.
set -u
root=${DPACCT_SOURCE:-$(cd -- "$(dirname -- "$0")/../.." && pwd)}
build=${DPACCT_BUILD:?the build folder to look into}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
echo 0 >"$work/tests" # in a file: most reports come through a pipe

# passes when the report is empty
result() { # NAME < REPORT
    local tests=$(($(cat "$work/tests") + 1))
    echo "$tests" >"$work/tests"
    cat >"$work/report"
    if [ -s "$work/report" ]; then
        echo "not ok $tests - $1"
        head -n 40 "$work/report" | sed 's/^/# /'
    else
        echo "ok $tests - $1"
    fi
}

# ---- rooms -----------------------------------------------------------------------------------
may_include() { # ROOM ALLOWED...: the others
    local room=$1 allowed
    shift
    allowed=$(printf '%s|' dpacct "$room" "$@")
    echo "$room $*" >>"$work/arrows"
    grep -nE '^#include "' /dev/null "src/$room"/*.[ch] | grep -vE "\"(${allowed%|})/" |
        result "$room includes only dpacct, $(printf '%s, ' "$room" "$@" | sed 's/, $//')"
}
may_include num
may_include core num
may_include loss core num
may_include engine loss core num
may_include renyi loss core num
may_include mechanism renyi loss core num
may_include compose renyi engine loss core num
may_include sampling compose renyi engine loss core num
may_include vote compose renyi engine loss core num
may_include learning sampling compose renyi engine loss core num
may_include attack sampling compose renyi engine loss core num
may_include catalog attack mechanism learning vote sampling compose renyi engine loss core num
may_include document catalog attack mechanism learning vote sampling compose renyi engine loss core num
grep -nE '^#include [<"]cjson' -r src include | grep -vE '^src/cli/' |
    result "only cli sees cJSON"
grep -nE '^#include "' include/dpacct/*.h | grep -v '"dpacct/' |
    result "public headers include only public headers"

library=$(find src -name '*.[ch]' -not -path 'src/cli/*' | sort)

# ---- what the library calls ------------------------------------------------------------------
# The library neither prints nor ends the process, reads no environment and no locale.
objects=$(find "$build/CMakeFiles/dpacct_objects.dir" -name '*.o')
[ -n "$objects" ] || echo "no objects in $build" | result "the build has objects"
for object in $objects; do
    nm -u "$object" | awk '{ print $2 }' |
        grep -E '^(__)?(v?[a-z]*printf(_chk)?|puts|putchar|f?write|fopen|exit|_exit|abort|__assert_fail|getenv|secure_getenv|setlocale|localeconv|strtod|strtof|atof|scanf|sscanf)(@.*)?$' |
        if [[ $object == */src/document/* ]]; then grep -vE '^(__)?v?snprintf(_chk)?(@|$)'; else cat; fi |
        sed "s|^|${object##*/}: |"
done | result "no object of the library prints, exits, or reads environment or locale"
# A function declared below and defined above would be an arrow that no include shows.
symbols() { # OPTION: ROOM SYMBOL FILE of the library's objects
    for object in $objects; do
        source=${object#*dpacct_objects.dir/}
        [ -e "${source%.o}" ] || continue # left by a file that was moved
        room=${object%/*}
        nm "$1" "$object" | awk -v room="${room##*/}" -v file="${object##*/}" \
            '$(NF - 1) ~ /^[A-Z]$/ { print room, $NF, file }'
    done
}
symbols --defined-only >"$work/defined"
symbols --undefined-only | awk '
    FILENAME == ARGV[1] { for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
    FILENAME == ARGV[2] { home[$2] = $1; next }
    $2 in home && !(($1, home[$2]) in may) { print $1 "/" $3 " needs " $2 " of " home[$2] }
' "$work/arrows" "$work/defined" - | result "no object needs what a room above it defines"
# Files that use each other's names are read together or not at all: each stands above those whose
# names it uses.
for object in $objects $(find "$build/CMakeFiles/dpacct_program.dir" -name '*.o'); do
    source=src/${object##*.dir/src/}
    [ ! -e "${source%.o}" ] || echo "$object" # else left by a file that was moved
done | xargs nm -A | sed -nE 's,^.*\.dir/(src/[^:]*)\.o:.* ([A-Z]) ([^ ]*)$,\2 \3 \1,p' >"$work/names"
awk '
    NR == FNR { if ($1 != "U") home[$2] = $3; next }
    $1 == "U" && $2 in home { print home[$2], $3 }
' "$work/names" "$work/names" | tsort 2>&1 >/dev/null | result "no circle of C files that use names of each other"
[ -s "$work/names" ] || echo "no objects in $build" | result "there are objects to look into"
# Text made in memory holds texts and whole numbers: %s, %zu, %d, with a precision or without.
grep -nE '%[-+0#]*[0-9*]*(\.[0-9*]+)?(hh|h|ll|l|j|t|L)?[aAeEfFgGpncioxXu]|%[-+0#]*(z[^u]|[hljtL]+d)' src/document/*.[ch] |
    result "document formats texts and whole numbers only"
# The texts of commands and parameters are those of the manual.
grep -nE '"[^"]*--[a-z]' $library | grep -vE '^src/document/|/(audit_)?parameters\.c:' |
    result "no message of the library names an option of the program"
nm -D --defined-only "$build"/libdpacct.so 2>/dev/null | awk '{ print $3 }' | sed 's/@.*//' |
    grep -vE '^dp_' | result "the shared library exports dp_ symbols only"
[ -n "$(nm -D --defined-only "$build"/libdpacct.so 2>/dev/null | grep ' T dp_')" ] ||
    echo "no dp_ symbol in $build/libdpacct.so" | result "the shared library exports something"
objdump -t "$build"/libdpacct.a | awk '$3 == "O" && $4 ~ /^\.(data|bss)$/ { print $NF }
    $2 == "O" && $3 ~ /^\.(data|bss)$/ { print $NF } $0 ~ /\*COM\*/ { print $NF }' |
    result "no mutable global in the library"

# ---- doubles ---------------------------------------------------------------------------------
# A double may choose, never decide. Each file that has one is here with the reason.
double_files='
src/cli/picture.h                  where a curve stands on a picture
src/cli/picture.c                  the same
src/cli/picture_parts.h            the same, its axes
src/cli/picture_parts.c            the same, its labels
src/cli/picture_script.c           the same, its axes and labels
src/num/number.c                   a double as the rational that it is
src/num/number.h                   the same
src/num/logform.c                  how large a power would be, to leave it alone
src/num/decimal_double.c           the double shown in JSON, rounded and compared exactly
src/num/decimal.h                  the same
src/num/figure.c                   hands that double to callers of the library
src/compose/filter_budget.c        which order has the largest budget, and how many bits a try takes
src/catalog/door.c                 seconds, and the double of an answer
src/compose/curves.c               the order, which is evaluated afterwards
src/attack/advantage_response.c    the order, which is evaluated afterwards
src/attack/tpr.c                   where the profile is asked, every place sound
src/attack/tpr.h                   the order, which is evaluated afterwards
src/attack/tpr_moments.c           the same, and where a root is begun to be searched for
src/attack/tail.c                  the same
src/renyi/conversion.c             the order, which is evaluated afterwards
src/renyi/conversion.h             the same
src/mechanism/dp_sgd.h             guesses, for searches
src/mechanism/dp_sgd.c             the same
src/mechanism/dp_sgd_ask.c         where a search starts; what it finds is proved
src/mechanism/dp_sgd_guess.c       guesses, for searches
src/mechanism/dp_sgd_orders.c      the order, which is evaluated afterwards
src/mechanism/dp_sgd_proof.c       where a proof is looked for, exact numbers there
src/mechanism/dp_sgd_rows.c        how far a theorem reaches, rounded to the safe side
src/mechanism/dp_sgd_steps.c       guesses, for searches
src/renyi/sampled.h                the plan of a sum, bounded afterwards, and guesses
src/renyi/sampled.c                how many terms a series would have, guard bits
src/renyi/sampled_plan.c           that plan, and guesses of moments for searches
src/renyi/sampled_trapezoid.c      nodes and step, exact numbers; guard bits
src/renyi/order.c                  the same
src/renyi/order.h                  the same
src/renyi/conversion.h             an estimate, to compare orders by
src/renyi/convert.c                the same
src/renyi/single.c                 where a certificate is looked for
src/num/fixed.c                    where a logarithm or an angle is looked for, which is checked
src/num/fixed.h                    exact numbers
src/num/binary64.c                 doubles whose error is proved, charged to the ends
src/num/binary64.h                 the same
src/loss/blocks.h                  the same
src/loss/response_blocks.c         the same
src/loss/block_power.h             the same
src/loss/block_power.c             the same
src/loss/discrete_blocks.c         the same
src/loss/gaussian_blocks.c         the same
src/loss/laplace_blocks.c          the same
src/engine/extremal.c              the line, an exact number
src/engine/extremal.h              the same
src/engine/far_nodes.c             sums and kernels whose rounding is proved
src/engine/far_nodes.h             the same
src/engine/far_terms.c             the same
src/engine/far_terms.h             the same
src/engine/tilt.c                  where to look: saddle points and estimates, checked afterwards
src/engine/tilt.h                  the same
src/engine/totals.h                the work of a node, and guesses
src/engine/totals.c                which nodes are dropped: what they cost is charged
src/engine/atoms.c                 from where on atoms are listed, exactly
src/engine/atoms_size.c            how many atoms there are, counted
src/engine/atoms.h                 the same
src/engine/ends.c                  how many terms there are; a line that was planned
src/engine/ends.h                  the plan of a sum, bounded afterwards
src/engine/ends_plan.c             the same; line, step and panels, exact numbers
src/engine/ends_sum.c              the least distance from a term, rounded down
src/engine/ends_tables.c           a line and a step, exact numbers; where exponents could overflow
src/engine/exact.c                 how many losses there are, counted
src/engine/contour.c               the plan of a contour: step and length, bounded afterwards
src/engine/lattice.c               the step and the highest atom, for a plan
src/engine/lattice.h               the plan of a lattice sum
src/num/limits.c                   seconds and bytes
src/num/limits.h                   the same
src/core/mechanism.h               guesses, for searches
src/core/refine.c                  how far the time goes: which precision is tried next
src/compose/calibrate_approach.c    where secants lead, which is decided afterwards
src/compose/moments.c              the order, which is evaluated afterwards
src/engine/near_atom.c             orders and heights, exact numbers
src/engine/near_atom.h             weights of the scan, rounded down
src/engine/plain.c                 the plan of a contour, bounded afterwards
src/engine/plain.h                 the same
src/engine/profile.c               the plan of an evaluation
src/engine/profile.h               the same
src/engine/scan.c                  the plan of a search for a common step
src/engine/scan.h                  the same
src/engine/shifted.c               how many terms a closed form has, which chooses an evaluator
src/engine/shifted.h               the same
src/loss/scan_item.h               weights, rounded down
src/loss/gaussian_guess.c          where to look for a calibration
src/loss/gaussian_law.c            guesses that choose; the tilt of a line, an exact number
src/loss/gaussian_tails.c          the step of a rule, an exact number, bounded in intervals
src/loss/gaussian_tails.h          the same
src/loss/laplace.c                 the same
src/loss/laplace_few.c             how many terms of a sum to form; what is left out is bounded in intervals
src/loss/laplace_part.c            the order of a part; the tilt of a line, an exact number
src/loss/part.h                    the same
src/loss/line.c                    how long nodes would take, to leave them
src/loss/laplace_nodes.c           guesses that choose; the tilt of a line, an exact number
src/loss/laplace_nodes.h           the same
src/loss/discrete.c                guesses that choose; the number of losses, counted
src/loss/discrete.h                the same
src/loss/ends.h                    a ray: its start and its step, exact numbers
src/loss/sampled_laplace.c         guesses that choose
src/loss/sampled_laplace_ends.c    a line and the start of a ray, exact numbers; guard bits
src/loss/sampled_laplace_rays.c    the same, and the first and the last node of a rule, bounded afterwards
src/loss/sampled_laplace_far.c     which nodes, and how many terms; a line, an exact number
src/loss/sampled_laplace_nodes.c   the same; weights of the scan, rounded down
src/loss/sampled_laplace_parts.h   the same
src/loss/sampled_laplace_sum.c     the plan of a rule, bounded afterwards
src/loss/bounded_range.c           guesses that choose
src/loss/bounded_range_nodes.c     the tilt of a line, an exact number; which sums are short enough
src/loss/bounded_range_nodes.h     guesses that choose
src/loss/discrete_gaussian.c       the same
src/loss/discrete_gaussian_nodes.c how many terms are taken; weights of the scan, rounded down
src/loss/discrete_gaussian_nodes.h the same
src/loss/discrete_gaussian_profile.c how many terms are taken
src/loss/discrete_groups.c         the number of losses, counted
src/loss/discrete_nodes.c          the heaviest outcomes, chosen; weights of the scan, rounded down
src/loss/sampled_gaussian.c        guesses that choose; the tilt of a line, an exact number
src/loss/sampled_gaussian_bend.c   boxes with outward ends and a path of exact numbers; what is missed is bounded in intervals
src/loss/sampled_gaussian_bend.h   the same path, lines and boxes
src/loss/sampled_gaussian_bend_lines.c sums of bounds of growth, raised by more than their rounding
src/loss/sampled_gaussian_bend_nodes.c which terms are left out, with their bound; the proved error of a sum
src/loss/sampled_gaussian_bend_plan.c plans of that path, bounded afterwards
src/loss/sampled_gaussian_bend_search.c the search for such a plan
src/loss/sampled_gaussian_bend_terms.c ends of boxes, outward; the step of a rule, an exact number
src/loss/sampled_gaussian_decay.c  angle and step of a bound, exact numbers there
src/loss/sampled_gaussian_few.c    the X of a plan; about how many bits are had
src/loss/sampled_gaussian_few.h    a path and its steps, exact numbers; what was left out is bounded afterwards
src/loss/sampled_gaussian_few_bounds.c cells of an integral, exact numbers
src/loss/sampled_gaussian_few_nodes.c the same path; how many factors there are
src/loss/sampled_gaussian_few_place.c guesses that choose
src/loss/sampled_gaussian_few_plan.c plans of that path, bounded afterwards
src/loss/sampled_gaussian_fixed.c  ranges of a plan, which the functions check; factors of errors, exact numbers
src/loss/sampled_gaussian_group.c  guesses that choose; angles of a line, an exact number
src/loss/sampled_gaussian_excess.c ranges of its constants
src/loss/sampled_gaussian_growth.c sums of positive terms with proved rounding (num/binary64.h), raised by more
src/loss/sampled_gaussian_guess.c  those guesses, and plans of sums, bounded afterwards
src/loss/sampled_gaussian_line.c  the tilt and the step of a line, exact numbers
src/loss/sampled_gaussian_nodes.c  the tilt and the shift of a line, exact numbers
src/loss/sampled_gaussian_parts.h  the same
src/loss/sampled_gaussian_split.c  the tilt of a line, an exact number; guard bits
src/loss/sampled_gaussian_sum.c    the same, and step and edges of a plan
src/loss/sampled_gaussian_two.c    step, strip and last node of a rule, exact numbers; what that misses is bounded in intervals
src/loss/sampled_gaussian_window.c where a window is, exact numbers; guesses that choose
src/loss/sampled_gaussian_window_values.c the same numbers, nodes, proved errors of weights
src/loss/loss.h                    the tilt of a line, an exact number; guesses that choose
src/engine/smooth.c                the plan of a smoothing: width and step, bounded afterwards
src/engine/smooth.h                the same
src/engine/trapezoid.c             a plan, bounded afterwards; the line and widths, exact numbers
src/engine/trapezoid.h             the same
src/vote/eight.c                   a scan with a proved error; what lies within it is evaluated again
src/vote/eight.h                   the same
src/vote/ballots.c                 bytes, and bounds for shortlist.c
src/vote/leaf_sums.c               sums with a proved error
src/vote/leaf_sums.h               the same
src/vote/shortlist.c               these exclude what is below by more than the errors; the rest is enclosed
src/vote/shortlist.h               the same
src/vote/ties.c                    bits of the integers that would be formed
src/engine/tail.c                  where a tail is cut, bounded afterwards
src/engine/tail.h                  the same
src/loss/steps_shared.c            how many losses there are, and how fine a lattice, chosen
src/loss/buckets.c                 randomized response in doubles, for guesses
src/loss/buckets.h                 the same
src/loss/response.c                how many outcomes a group has, and those guesses
src/loss/response_nodes.c          the tilt of a line, an exact number
src/loss/response_scan.c           weights of a scan, rounded down, and the tilt of a line
src/sampling/bagging_inverse.c     the next candidate of an inversion, decided by intervals
src/compose/ask.c                  how long a closed form would take, to leave it out
src/compose/composing.c            how long merging takes, to leave it out
src/compose/optimal.c              whether to try pairs too
src/compose/enclosed_pair.c        how much of the time the next precision may take
src/core/refine.h                  the same
src/compose/choosing.c             which point of a curve to take; it is evaluated again, rounded up
src/num/ival.c                     about a number or its logarithm, for who guesses
src/num/ival_tail.c                how many levels of a fraction, narrow or not
src/num/ival.h                     the same
src/compose/budget.h               a starting number of uses or epsilon, decided by intervals
src/compose/budget_guess.c         where the search for uses and epsilon begins, decided by intervals
src/attack/binomial_guess.c        tails in doubles, to begin a search with
src/attack/binomial_guess.h        the same
src/attack/binomial_pair.c         which circle a sum is on, whose bounds hold for any; and a guess
src/attack/binomial_pair.h         the same
src/attack/binomial_near.c         how far a series reaches; its remainder is proved whatever that is
src/attack/binomial_near.h         the same
src/attack/binomial_low.c          a range to begin with; that it holds the limit is proved
src/attack/root.c                  a root to begin with; the signs on both sides of it are proved
src/attack/root.h                  the same
src/attack/audit_adaptive.c        where a level is reached, to begin with
src/attack/audit_inclusion.c       which terms of a sum are added one by one; a bound holds the others
src/attack/audit_level.c           what may be largest, by the bounds of audit_walk.c; it is enclosed
src/attack/audit_level.h           places to begin with
src/attack/audit_misses.c          how many misses, to begin with; which side of the curve they are on is proved
src/attack/audit_order.c           where neighbours of an outcome are, to begin with; they are enclosed
src/attack/audit_order.h           the same
src/attack/audit_path.c            whether runs are long, which says how a path is kept
src/attack/audit_sure.c            tails with a proved bound of what they are off; what that does not tell is enclosed
src/attack/audit_sure.h            the same
src/attack/audit_far.c             where a walk begins and how long it is; what it leaves out is proved
src/attack/audit_course.h          counts of a plan by those tails; what they do not tell is enclosed
src/attack/audit_course.c          counts of a plan by those tails; what they do not tell is enclosed
src/attack/audit_walk.c            tails with a proved bound of what they are off; what that does not tell is enclosed
src/attack/audit_walk.h            the same
src/attack/audit_fdp.c             where a recursion ends above 1, to begin with; both sides are proved
src/attack/audit_fdp.h             the same
src/attack/audit_fdp_guess.c       where that is, by guesses alone
src/attack/audit_fdp_average.h     a series of that recursion in doubles, with a bound of what it leaves out
src/attack/audit_fdp_run.c         a recursion whose errors are proved and charged; what that does not tell is enclosed
src/attack/audit_fdp_line.c        where a level is reached, to begin with
src/attack/audit_fdp_curve.c       where a tangent touches: every place is sound
src/attack/audit_heights.c         heights of layers, sought
src/attack/audit_heights.h         the same
src/attack/audit_cuts.c            heights, sought
src/attack/audit_cuts.h            the same
src/attack/audit_scale.c           heights of many guesses by those of few, sought
src/attack/audit_scale.h           the same
src/attack/audit_layers.c          those heights; weights with proved errors, each rounded upward
src/attack/audit_layers.h          the same
src/attack/audit.h                 what is asked for a guess
src/attack/audit_boundary.c        about where what refutes ends; what is found so is proved
src/attack/audit_boundary.h        the same
src/attack/audit_many.h            bounds of tails and powers in doubles, rounded outward with a proved error
src/attack/audit_many.c            the same; and about where what refutes ends, which is then proved
src/attack/audit_many_search.c     which numbers are tried; what is told of them is proved
src/attack/audit_lack.c            bounds in doubles, rounded outward with a proved error
src/attack/audit_normal.c          the same
src/attack/audit_rare.c            the same
src/attack/audit_top.c             about where the product of two tails is largest
src/attack/audit_power.c           which counts are looked at; others are left out, or whole
src/attack/audit_profile.c         slopes, and a root to begin with
src/attack/audit_side.c            points in doubles, to begin a search with
src/attack/audit_side.h            the same
src/attack/audit_crossing.c        where tails cross: every place is sound
src/attack/audit_two.c             about what a rectangle says
src/attack/odds.c                  where a bound is least, every place sound
src/attack/odds.h                  the same
src/attack/quantile.c              where a root is begun to be searched for
src/attack/audit_fisher.c          where a product is largest, to begin with
src/attack/audit_published.c       where a mean is largest; that it is, is proved
src/attack/audit_run.c             where a level is reached, to begin with
src/learning/generalization_ask.c  k and the selection, every choice sound
src/learning/igmm_ask.c            the epsilon of a step, every choice sound
src/vote/pate_guess.c              orders of Renyi divergence, by bounds about; those kept are evaluated
src/vote/pate_instance.h           the same
src/vote/pate_solve_guess.c        where a search for a count or a sigma begins; what it finds is proved
src/vote/majority_certify.c        a starting precision, and how long the next round would take
src/vote/majority_eight.c          the scan of eight.c
src/vote/majority_optimal.c        which row of the linear program looks violated
src/vote/majority_search.c         the same
src/vote/pivots.c                  the same
src/vote/pivots.h                  the same
src/vote/program.c                 the same
src/vote/program.h                 the same
src/engine/invert.c                the effort of the next attempt
src/engine/inversion.h             what a level tells the next one: where to look
src/engine/inversion_chords.c      where to look; what is proved is in intervals
src/engine/inversion_pairs.c       the same
src/engine/invert_epsilon.c        where the search goes next; its ends are proved
src/engine/invert_many.c           factors, which tell how long it takes
src/engine/invert_top.c            how near the largest loss is tried, exactly there
src/engine/compare.c               which product is likely the greater one; it is proved
src/engine/effort.c                how long an attempt would take, to choose one
src/engine/effort.h                the same
src/document/request.c             seconds
src/document/request.h             the same
src/document/common.c              the same
src/document/width.c               the same; about how large a figure is
src/document/remaining.c           the same
src/document/ask.h                 the same
src/document/json_scan.c           quotes that are double, in a message
'
double='(^|[^-_a-z])(double|float)([^-_s]|$)' # the type, not the word
listed=$(printf '%s' "$double_files" | awk 'NF { print $1 }')
for file in $(grep -lE "$double" $library); do
    grep -qxF "$file" <<<"$listed" || echo "$file has a double and no reason is listed"
done | result "a double stands only where a reason is listed"
for file in $listed; do
    grep -qE "$double" "$file" 2>/dev/null || echo "$file is listed and has none"
done | result "the list of doubles is not stale"
grep -nE '\b(mpfr_pow|mpfr_set_str|mpfr_strtofr|mpfr_printf|mpfr_compound_si|mpfr_exp10|mpfr_set_default_prec|mpfr_set_default_rounding_mode)\b *\(' \
    -r src | result "no MPFR function that is banned"

# ---- numbers ---------------------------------------------------------------------------------
# A dp_number is a rational or a logarithm: whoever reads its `value` bare may take one for the
# other. It is read through src/num/number.h, except here.
value_files='
src/num/number.c               the ways to read it
src/num/domain.c               looks at both kinds, well-formed or not
src/compose/he2021_knapsack.c  a field of its own
src/vote/eight.c               a field of its own
src/vote/ties.c                a field of its own
src/vote/majority_optimal.c    a field of its own
'
value='(->|\.)value\b'
listed=$(printf '%s' "$value_files" | awk 'NF { print $1 }')
grep -lE "$value" src/*/*.[ch] | grep -v '^src/document/' | while read -r file; do
    grep -qxF "$file" <<<"$listed" || grep -nHE "$value" "$file"
done | result "a number is read through its reader"
for file in $listed; do
    grep -qE "$value" "$file" 2>/dev/null || echo "$file is listed and has none"
done | result "the list of bare reads is not stale"

# ---- memory ----------------------------------------------------------------------------------
grep -nE '(^|[^_[:alnum:].>])(malloc|calloc|realloc|strdup|strndup|free|fopen|getline|asprintf)\(' \
    -r src --include='*.[ch]' | grep -vE '^src/(num/memory|cli/mem)\.c:' |
    result "every block is taken from its one owner"

# ---- files -----------------------------------------------------------------------------------
git ls-files -- '*.c' '*.h' '*.sh' '*.py' '*.bats' '*.bash' '*.cmake' 'CMakeLists.txt' '*/CMakeLists.txt' .ci/run |
    grep -v '^docs/completions/' | while read -r file; do
    [ ! -e "$file" ] || head -n 5 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
done | result "every source file has its SPDX line"
find src include tests examples -name '*.[ch]' -exec wc -l {} + |
    awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }' |
    result "no C file is over 500 lines"
# By its braces, which clang-format puts at the start of a line.
find src tests examples -name '*.[ch]' -exec awk '
    /^\{$/ { begin = FNR }
    /^\}/ { if (begin && FNR - begin > 60) print FILENAME ":" begin ": " FNR - begin " lines"; begin = 0 }' {} + |
    result "no function is over 60 lines"
grep -HE '^#include "' -r src include --include='*.h' |
    sed -E 's,^(src|include)/([^:]*):#include "(.*)",\2 \3,' | tsort 2>&1 >/dev/null |
    result "no header includes itself by way of others"
find . -mindepth 1 -maxdepth 1 -not -name '.*' -not -name 'build*' -printf '%f\n' |
    grep -vxE 'CMakeLists.txt|src|include|tests|docs|examples|LICENSE|README.md' |
    result "nothing else at the top level"

# What shows the house names files that are there.
grep -oE '`(src|tests|include|docs|examples)/[^` *]*\.[a-z0-9]+`' docs/HACKING.md | tr -d '`' | sort -u | while read -r file; do
    [ -e "$file" ] || echo "$file"
done | result "every file that HACKING.md names is there"

# ---- the registry ----------------------------------------------------------------------------
"$build/dpacct" theorems --json | jq -r '.theorems[].id' | while read -r id; do
    grep -qF "$id" docs/theorems.md || echo "$id is not in docs/theorems.md"
done | result "every theorem has its page"
"$build/dpacct" theorems --json | jq -r '.theorems[].id' | while read -r id; do
    grep -qrF "$id" tests/*/t-*.c tests/cli tests/vectors || echo "no test names $id"
done | result "every theorem is named by a test"
echo "1..$(cat "$work/tests")"
