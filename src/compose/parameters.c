/* SPDX-License-Identifier: MIT */
/* The parameters of dp_compose_query, of curves, divergences and KL bounds. */
#include "compose/parameters.h"

#include <stddef.h>

const parameter compose_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a mechanism to the list; repeatable",
    .manual = "0.1 is pure, 0.1,1e-6 approximate; x35 uses it 35 times. Or a type with its "
              "parameters, TYPE:name=value,...: gaussian:sigma=2x10, laplace:scale=1, "
              "zcdp:rho=0.1; the types are those of ledgers.",
};

const parameter compose_target_delta = {
    .name = "target-delta",
    .key = "target_delta",
    .kind = KIND_PROBABILITY,
    .brief = "report epsilon at this delta",
    .manual = "The smallest epsilon for which the composition is (epsilon, D)-DP.",
};

const parameter compose_target_epsilon = {
    .name = "target-epsilon",
    .key = "target_epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "report delta at this epsilon",
    .manual = "The smallest delta for which the composition is (E, delta)-DP.",
};

const parameter compose_slack = {
    .name = "slack",
    .kind = KIND_SLACK,
    .brief = "slack of the theorems that need one",
    .manual = "Without it the slack is what the target leaves.",
};

const parameter compose_method = {
    .name = "method",
    .kind = KIND_CHOICE,
    .preset = "optimal",
    .choices = "optimal|basic|advanced|kov|he2021|zcdp|rdp|filter",
    .brief = "the composition theorem that decides",
    .manual = "A check is always decided by the optimum. filter is the theorem that also holds "
              "when parameters depend on earlier outputs.",
};

const parameter compose_claim = {
    .name = "claim",
    .kind = KIND_PAIR,
    .brief = "audit a claimed guarantee: exit 0 proved, 1 refuted",
    .manual = "Decides at whatever precision it needs; a refuted claim is shown with the optimum "
              "and the set of outcomes that breaks it.",
};

const parameter compose_add = {
    .name = "add",
    .kind = KIND_ITEM,
    .brief = "what may be released next; repeatable",
    .manual = "Anything that -m takes: all of it fits, or nothing. The budget is --max-epsilon and "
              "--max-delta; the figures are those after one use. Below them stands what was spent "
              "before, how often the addition fits, and the largest epsilon that one more pure "
              "release may have.",
};

const parameter compose_solve = {
    .name = "solve",
    .kind = KIND_CHOICE,
    .choices = "times|epsilon|slack|sigma|scale",
    .brief = "largest uses or epsilon, or least noise, in the budget",
    .manual =
        "times: how many uses fit --max-epsilon and --max-delta, of --add beside the list, "
        "or in all of the only mechanism. epsilon: the largest epsilon of --uses more "
        "mechanisms. sigma, scale: the least Gaussian or Laplace noise of --uses more releases of "
        "sensitivity 1; noise for another one is that times the sensitivity. slack: the slack "
        "that --method takes from the target.",
};

const parameter compose_uses = {
    .name = "uses",
    .kind = KIND_COUNT,
    .unit = "uses",
    .brief = "with --solve epsilon, sigma, scale: how many share it",
    .manual = "Beside the list, which may be empty. Of noise one, if not given.",
};

const parameter compose_use_delta = {
    .name = "use-delta",
    .key = "use_delta",
    .kind = KIND_PROBABILITY,
    .brief = "with --solve epsilon: delta of each of them",
    .manual = "0 when it is not given.",
};

const parameter compose_adaptive = {
    .name = "adaptive",
    .kind = KIND_CHOICE,
    .choices = "mechanisms|parameters",
    .brief = "do later parameters depend on earlier outputs?",
    .manual = "parameters: they do, so that only --method filter answers, which is then the "
              "default, and decides a check; the list is what was spent. Every other theorem is "
              "about parameters fixed in advance, where the mechanisms may still be chosen by "
              "what came out: mechanisms, if not given.",
};

const parameter compose_by_entry = {
    .name = "by-entry",
    .key = "by_entry",
    .kind = KIND_FLAG,
    .brief = "what each entry of the list costs, in a table",
    .manual = "Of each entry its own epsilon and delta, all its uses alone; its marginal cost, by "
              "which the figure of the whole list is above that of the list without it; and the "
              "cumulative figure of the list up to it. All at the target, which is needed.",
};

const parameter compose_from = {
    .name = "from",
    .kind = KIND_DATE,
    .brief = "only entries of the list dated DATE or later",
    .manual = "Every entry then needs a date; what -m gives has none and stays.",
};

const parameter compose_to = {
    .name = "to",
    .kind = KIND_DATE,
    .brief = "only entries of the list dated DATE or earlier",
    .manual = "As for --from.",
};

const parameter filter_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a mechanism to what was released; repeatable",
    .manual = "As for compose.",
};

const parameter filter_add = {
    .name = "add",
    .kind = KIND_ITEM,
    .brief = "what is to be released next; repeatable",
    .manual = "All of it fits or nothing: it must be asked about before it is released. Without it "
              "the question is whether what was released is within the budget.",
};

const parameter filter_method = {
    .name = "method",
    .kind = KIND_CHOICE,
    .preset = "zcdp",
    .choices = "zcdp|basic|rdp|gaussian",
    .brief = "what is added up",
    .manual = "zcdp: rho. basic: epsilon, the only one without a delta. rdp: the Renyi divergence "
              "of one order. gaussian: mu^2 of continuous Gaussian noise, the sharpest for it.",
};

const parameter filter_order = {
    .name = "order",
    .kind = KIND_POSITIVE,
    .domain = &domain_order,
    .brief = "order of the Renyi divergence that rdp adds up",
    .manual = "Fixed before the first release. If not given, that at which zCDP would have the "
              "largest budget.",
};

const parameter filter_slack = {
    .name = "slack",
    .kind = KIND_SLACK,
    .brief = "part of max-delta that the conversion spends",
    .manual = "The rest of max-delta is for deltas of mechanisms. All of it, if not given.",
};

const parameter curve_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a mechanism to the list; repeatable",
    .manual = "As for compose.",
};

const parameter curve_epsilon_range = {
    .name = "epsilon-range",
    .key = "epsilon_range",
    .kind = KIND_RANGE,
    .unit = "nats",
    .brief = "delta at N epsilons from A to B, evenly spaced",
    .manual = "The points are exact: A + (B-A) i/(N-1).",
};

const parameter curve_delta_range = {
    .name = "delta-range",
    .key = "delta_range",
    .kind = KIND_RANGE,
    .brief = "epsilon at N deltas from A to B, evenly in logarithm",
    .manual = "The points between the ends are rounded to six digits and then exact.",
};

const parameter single_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "privacy loss of the mechanism",
    .manual = "For one mechanism; a list is given by -m.",
};

const parameter single_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the mechanism",
    .manual = "Beside --epsilon.",
};

const parameter divergence_delta = {
    .name = "delta",
    .kind = KIND_PROBABILITY,
    .preset = "0",
    .brief = "delta of the mechanism",
    .manual = "With delta above 0 most divergences are infinite.",
};

const parameter single_times = {
    .name = "times",
    .kind = KIND_COUNT,
    .unit = "uses",
    .preset = "1",
    .brief = "uses of the mechanism",
    .manual = "The mechanism is used T times.",
};

const parameter divergence_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a mechanism to a list; repeatable",
    .manual = "In place of --epsilon, --delta and --times.",
};

const parameter divergence_order = {
    .name = "order",
    .kind = KIND_POSITIVE,
    .preset = "2",
    .brief = "order of the Renyi divergence",
    .manual = "Any order above 0; 1 is the Kullback-Leibler divergence.",
};

const parameter kl_epsilon = {
    .name = "epsilon",
    .kind = KIND_LOSS,
    .unit = "nats",
    .brief = "privacy loss of the mechanism",
    .manual = "Pure differential privacy: delta is 0.",
};

const parameter kl_times = {
    .name = "times",
    .kind = KIND_COUNT,
    .unit = "uses",
    .preset = "1",
    .brief = "uses of the mechanism",
    .manual = "The divergences of T uses add up.",
};

const parameter kl_mechanism = {
    .name = "mechanism",
    .kind = KIND_ITEM,
    .brief = "add a mechanism to a list; repeatable",
    .manual = "In place of --epsilon and --times. A delta is refused: the divergence then has no "
              "finite bound.",
};

const parameter cells_partition = {
    .name = "partition",
    .kind = KIND_TEXT,
    .brief = "a name of the groups; entries that share it are about the same",
    .manual = "Two entries with one name have the same groups in the same order; without a name "
              "the groups are others than those of all other entries.",
};

const parameter *const compose_parameters[] = {&compose_mechanism,
                                               &cells_partition,
                                               &compose_target_delta,
                                               &compose_target_epsilon,
                                               &compose_slack,
                                               &compose_method,
                                               &compose_claim,
                                               &compose_add,
                                               &compose_solve,
                                               &compose_uses,
                                               &compose_use_delta,
                                               &compose_adaptive,
                                               &compose_by_entry,
                                               &compose_from,
                                               &compose_to,
                                               &filter_mechanism,
                                               &filter_add,
                                               &filter_method,
                                               &filter_order,
                                               &filter_slack,
                                               &curve_mechanism,
                                               &curve_epsilon_range,
                                               &curve_delta_range,
                                               &single_epsilon,
                                               &single_delta,
                                               &single_times,
                                               &divergence_delta,
                                               &divergence_mechanism,
                                               &divergence_order,
                                               &kl_epsilon,
                                               &kl_times,
                                               &kl_mechanism,
                                               NULL};
