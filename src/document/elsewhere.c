/* SPDX-License-Identifier: MIT */
/* What other accountants, and papers, call what has another name here. */
#include "document/elsewhere.h"

#include <string.h>

#include "core/parameter.h"
#include "core/quantity.h"

/* ---- options and fields ---- */

static const char *const names[][2] = {
    {"rho", "zcdp"},
    {"mu", "gdp"},
    {"epsilon", "pure"},
    {"epsilon", "approx"},
    {"dp", "pure"},
    {"dp", "approx"},
    {"loss", "epsilon"},
    {"privacy-loss", "epsilon"},
    {"tp", "true-positives"},
    {"fp", "false-positives"},
    {"b", "scale"},
    {"beta", "scale"},
    {"noise-multiplier", "sigma"},
    {"noise-scale", "sigma"},
    {"noise-scale", "scale"},
    {"gnmax-sigma", "sigma"},
    {"variance", "sigma2"},
    {"sigma2", "sigma"},
    {"steps", "times"},
    {"queries", "times"},
    {"num-queries", "queries"},
    {"num-queries", "times"},
    {"rounds", "times"},
    {"num-steps", "steps"},
    {"num-teachers", "teachers"},
    {"size", "dataset-size"},
    {"samples", "dataset-size"},
    {"num-samples", "dataset-size"},
    {"num-samples", "samples"},
    {"num-examples", "dataset-size"},
    {"population", "dataset-size"},
    {"population-size", "dataset-size"},
    {"train-size", "dataset-size"},
    {"budget", "max-epsilon"},
    {"budget", "max-delta"},
    {"limit", "max-epsilon"},
    {"max-loss", "max-epsilon"},
    {"budget-epsilon", "max-epsilon"},
    {"epsilon-budget", "max-epsilon"},
    {"budget-delta", "max-delta"},
    {"delta-budget", "max-delta"},
    {"cores", "threads"},
    {"cpu", "threads"},
    {"graph", "plot"},
    {"figure", "plot"},
    {"chart", "plot"},
    {"image", "plot"},
    {"svg", "plot"},
    {"png", "plot"},
    {"pdf", "plot"},
    {"sample-rate", "sampling-rate"},
    {"sampling-probability", "sampling-rate"},
    {"subsample-rate", "sampling-rate"},
    {"q", "sampling-rate"},
    {"std", "sigma"},
    {"stddev", "sigma"},
    {"noise", "sigma"},
    {"noise", "noise-multiplier"},
    {"sigma", "noise-multiplier"},
    {"alpha", "order"},
    {"alphas", "order"},
    {"orders", "order"},
    {"max-grad-norm", "sensitivity"},
    {"clip", "sensitivity"},
    {"clipping", "sensitivity"},
    {"norm", "sensitivity"},
    {"timeout", "max-time"},
    {"time-limit", "max-time"},
    {"mem", "max-memory"},
    {"ram", "max-memory"},
    {"neighbors", "adjacency"},
    {"neighbours", "adjacency"},
    {"neighbouring", "adjacency"},
    {"neighboring", "adjacency"},
    {"neighboring-relation", "adjacency"},
    {"neighbouring-relation", "adjacency"},
    {"relation", "adjacency"},
    {"precision", "digits"},
    {"prec", "digits"},
    {"decimals", "digits"},
    {"output", "format"},
    {"out", "format"},
    {"records", "dataset-size"},
    {"batch", "batch-size"},
    {"lot-size", "batch-size"},
    {"compositions", "times"},
    {"count", "times"},
    {"repeat", "times"},
    {"num", "times"},
    {"uses", "times"},
    {"mechanisms", "mechanism"},
    {"voters", "mechanisms"},
    {"verbose", "all"},
    {"silent", "quiet"},
    {"theorem", "method"},
    {"accountant", "method"},
    {"iterations", "steps"},
    {"delta-prime", "slack"},
    {"delta-slack", "slack"},
    {"remaining", "add"},
    {"what-if", "add"},
    {"entries", "by-entry"},
    {"since", "from"},
    {"until", "to"},
    {"noise-std", "sigma"},
    {"noise-stddev", "sigma"},
    {"noise-standard-deviation", "sigma"},
    {"standard-deviation", "sigma"},
    {"gaussian-scale", "sigma"},
    {"noise-std", "noise-multiplier"},
    {"noise-scale", "noise-multiplier"},
    {"noise-level", "noise-multiplier"},
    {"nm", "noise-multiplier"},
    {"z", "noise-multiplier"},
    {"l1-sensitivity", "sensitivity"},
    {"l2-sensitivity", "sensitivity"},
    {"linf-sensitivity", "sensitivity"},
    {"sens", "sensitivity"},
    {"sampling-prob", "sampling-rate"},
    {"sample-prob", "sampling-rate"},
    {"sample-ratio", "sampling-rate"},
    {"sampling-ratio", "sampling-rate"},
    {"probability", "sampling-rate"},
    {"fraction", "sampling-rate"},
    {"subsampling-rate", "sampling-rate"},
    {"subsampling-probability", "sampling-rate"},
    {"rate", "sampling-rate"},
    {"number-of-examples", "dataset-size"},
    {"number-of-records", "dataset-size"},
    {"num-records", "dataset-size"},
    {"n-samples", "dataset-size"},
    {"training-size", "dataset-size"},
    {"data-size", "dataset-size"},
    {"dataset-length", "dataset-size"},
    {"num-epochs", "epochs"},
    {"n-epochs", "epochs"},
    {"passes", "epochs"},
    {"num-iterations", "steps"},
    {"num-rounds", "steps"},
    {"rounds", "steps"},
    {"updates", "steps"},
    {"minibatch-size", "batch-size"},
    {"mini-batch-size", "batch-size"},
    {"batchsize", "batch-size"},
    {"lot", "batch-size"},
    {"num-compositions", "times"},
    {"number-of-times", "times"},
    {"self-compose", "times"},
    {"repeats", "times"},
    {"releases", "times"},
    {"total-epsilon", "max-epsilon"},
    {"epsilon-total", "max-epsilon"},
    {"total-delta", "max-delta"},
    {"delta-total", "max-delta"},
    {"slack-delta", "slack"},
    {"delta-tilde", "slack"},
    {"epsilons", "epsilon-range"},
    {"deltas", "delta-range"},
    {"approx-dp", "approx"},
    {"pure-dp", "pure"},
    {"approximate", "approx"},
    {"renyi", "rdp"},
    {"renyi-dp", "rdp"},
    {"rho-zcdp", "zcdp"},
    {"estimators", "models"},
    {"n-estimators", "models"},
    {"bags", "models"},
    {"n-models", "models"},
    {"num-models", "models"},
    {"learners", "models"},
    {"bag-size", "subsample-size"},
    {"max-samples", "subsample-size"},
    {"num-mechanisms", "mechanisms"},
    {"ensemble", "mechanisms"},
    {"ensemble-size", "mechanisms"},
    {"models", "mechanisms"},
    {"group", "group-size"},
    {"order", "alpha"},
    {"orders", "alpha"},
    {"alphas", "alpha"},
    {"epsilon", "eta"},
    {"k", "categories"},
    {"categories-count", "categories"},
    {"num-categories", "categories"},
    {"answers", "categories"},
    {"workers", "jobs"},
    {"processes", "jobs"},
    {"confidence-level", "confidence"},
    {"target-epsilon", "epsilon-range"},
    {"target-delta", "delta-range"},
};

bool elsewhere_next(const char **here, size_t *at, const char *name)
{
    for (size_t i = *at; i < sizeof names / sizeof *names; i++)
        if (parameter_same_name(names[i][0], name)) {
            *here = names[i][1];
            *at = i + 1;
            return true;
        }
    return false;
}

#define CLIPPING                                                                                   \
    "max-grad-norm|max-norm|l2-norm-clip|l2-clip|norm-clip|clip|clip-norm|clipping|clipping-norm|" \
    "clipping-threshold|clipping-bound|grad-norm|gradient-norm|c"
#define ORDERS "alpha|alphas|order|orders|rdp-orders|renyi-orders|max-order|lambda|lambdas"
#define GRID                                                                                       \
    "eps-error|epsilon-error|delta-error|discretization|discretization-interval|grid|grid-size|"   \
    "value-discretization-interval|mesh-size|tail-mass-truncation|use-connect-dots|tolerance|tol"

/* Of a type of mechanism or a command; "" is any. */
static const struct {
    const char *of, *names, *note;
} notes[] = {
    {"dp-sgd", CLIPPING, "no clipping norm is needed: the noise multiplier is the noise over it"},
    {"dp-sgd|gaussian|laplace|compose|curve|pate|filter", ORDERS,
     "all real orders are searched, none is given"},
    {"", GRID, "there is no grid to choose: --digits says how closely is proved"},
    {"dp-sgd", "poisson-sampling|subsampling",
     "batches are Poisson samples unless --sampling says otherwise"},
    {"dp-sgd|sampled-laplace", "sampling|sampling-method",
     "samples are always Poisson samples, each record for itself: leave it out where they are; no "
     "others are covered"},
    {"", "pessimistic|pessimistic-estimate|upper-bound|optimistic",
     "what is printed as a guarantee is always an upper bound"},
    {"", "output|out|output-file|outfile|save",
     "the answer is on standard output: > FILE keeps it; --format says how it is written"},
    {"", "secure-rng|secure-mode|learning-rate|lr|optimizer",
     "it changes nothing of what is proved; leave it out"},
    {"gaussian", "scale", "the noise is given by its standard deviation, sigma"},
    {"gaussian", "analytic", "every sigma is answered by the exact curve; leave it out"},
    {"gaussian|iterative-gaussian", "variance|sigma2|sigma-squared|var|v",
     "give its square root, sigma"},
    {"laplace|sampled-laplace", "sigma|std|stddev|variance|standard-deviation",
     "give the scale, which is the standard deviation over the square root of 2"},
    {"", "pretty|indent", "--json is one line; | jq . breaks it"},
    {"laplace|discrete-laplace|sampled-laplace", "epsilon|eps",
     "the scale is the sensitivity over epsilon: give that"},
    {"gaussian|discrete-gaussian", "epsilon|eps|delta",
     "the noise says what is spent: give it, or a mechanism approx-dp of that epsilon and delta"},
    {"rdp", "epsilon|eps|renyi-epsilon|divergence",
     "the divergence is called rdp, as in rdp:alpha=2,rdp=0.1"},
    {"convert", "sigma|noise-multiplier",
     "Gaussian noise is --gdp MU, where mu is the sensitivity over sigma"},
    {"bagging-with|bagging-without", "fraction|ratio|sampling-rate|sample-rate|rate",
     "models are drawn by a number of records: -k, the share times n"},
};

/* Underscores are dashes. */
static void dashed(char to[ELSEWHERE_WORD], const char *name)
{
    size_t n = 0;
    for (; name[n] != '\0' && n + 1 < ELSEWHERE_WORD; n++)
        to[n] = name[n] == '_' ? '-' : name[n];
    to[n] = '\0';
}

const char *elsewhere_note(const char *of, const char *name)
{
    char word[ELSEWHERE_WORD];
    dashed(word, name);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if ((notes[i].of[0] == '\0' || names_hold(notes[i].of, of)) &&
            names_hold(notes[i].names, word))
            return notes[i].note;
    return NULL;
}

/* ---- types of mechanisms ---- */

#define ONLY_PURE                                                                                  \
    "it has no type of its own; where it is (E, 0)-DP as a whole, write pure-dp:epsilon=E"
#define ONLY_APPROX                                                                                \
    "it has no type of its own; write what is proved of it as approx-dp:epsilon=E,delta=D"
#define ITS_NOISE                                                                                  \
    "name its noise, such as laplace:scale=B,sensitivity=L or gaussian:sigma=S,sensitivity=L"

/* In small letters without marks. */
static const char *const types[][2] = {
    {"exponential|em|expo|exp|expmech|exponentialdp|gumbel|noisymaxgumbel|reportnoisymaxgumbel",
     "did you mean bounded-range:eta=E, for weights e^(E u / (2 sensitivity))?"},
    {"sparsevector|sparsevectortechnique|svt|abovethreshold|reportnoisymax|noisymax|rnm|"
     "permuteandflip|staircase|snapping|unary|unaryencoding|oue|sue|rappor",
     ONLY_PURE},
    {"shuffle|shuffled|shuffling|privateselection|selection|repeatandselect|tuning|uniform|"
     "truncatedlaplace|boundedlaplace|truncatedgaussian|skellam|stabilityhistogram|ptr|"
     "proposetestrelease|smoothsensitivity|samplewithoutreplacement|wishart|vector",
     ONLY_APPROX},
    {"geometric|twosidedgeometric|geometrictruncated|discretelaplacian|dlaplace",
     "did you mean discrete-laplace:scale=B, with B = sensitivity / epsilon?"},
    {"normal|analyticgaussian|gaussiananalytic|gaussiannoise|awgn",
     "did you mean gaussian:sigma=S?"},
    {"lap|laplacian|laplacenoise", "did you mean laplace:scale=B?"},
    {"discretegauss|dgauss|discretenormal",
     "did you mean discrete-gaussian:sigma2=V, V the square of sigma?"},
    {"subsampledgaussian|sampledgaussian|poissonsubsampledgaussian|poissonsampledgaussian|sgm|"
     "poissonsampled|noisysgd|privatesgd|dpadam",
     "did you mean dp-sgd:noise-multiplier=S,sampling-rate=Q,steps=T?"},
    {"subsampledlaplace|poissonsubsampledlaplace|poissonsampledlaplace",
     "did you mean sampled-laplace:scale=B,sampling-rate=Q?"},
    {"rr|randomisedresponse|randomresponse|warner|binary|krr|kary|grr|directencoding|"
     "karyrandomizedresponse|generalizedrandomizedresponse|binaryrandomizedresponse",
     "did you mean randomized-response:epsilon=E,categories=K?"},
    {"pure|dp|eps|epsilon|epsilondp|localdp|ldp", "did you mean pure-dp:epsilon=E?"},
    {"approx|approximate|approximatedp|epsilondelta", "did you mean approx-dp:epsilon=E,delta=D?"},
    {"gdp|mugdp|mu|gaussiandp|fdp", "did you mean gaussian:sigma=S, with S = 1/mu?"},
    {"rho|concentrated|concentrateddp|zeroconcentrated|cdp", "did you mean zcdp:rho=R?"},
    {"renyi|renyidp|moments", "did you mean rdp:alpha=A,rdp=R?"},
    {"composed|selfcomposed|repeated",
     "uses stand behind a mechanism, as in gaussian:sigma=2x10; a list is several -m"},
    {"tree|treeaggregation|dpftrl|ftrl|matrixfactorization|matrix|mf|bandmf|blt|"
     "singleepochtreeaggregation",
     "one release of correlated noise is gaussian:sigma=S,sensitivity=L, L the norm of all that a "
     "record moves"},
    {"histogram|count|sum|mean|average|median|quantile|query|noise", ITS_NOISE},
};

/* "make_base_Gaussian", GaussianDpEvent, "exponential mechanism" */
static void squeeze(char to[ELSEWHERE_WORD], const char *name)
{
    static const char *const before[] = {"make", "then", "base", "dp"}, *const behind[] = {
                                                                            "dpevent", "event",
                                                                            "mechanism", "mech"};
    char all[ELSEWHERE_WORD];
    size_t n = 0;
    for (; *name != '\0' && n + 1 < ELSEWHERE_WORD; name++) {
        char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            all[n++] = c;
    }
    all[n] = '\0';
    char *at = all;
    for (size_t i = 0; i < 3; i++) {
        size_t m = strlen(before[i]);
        if (strncmp(at, before[i], m) == 0 && at[m] != '\0')
            at += m;
    }
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        size_t m = strlen(behind[i]), whole = strlen(at);
        if (whole > m && strcmp(at + whole - m, behind[i]) == 0)
            at[whole - m] = '\0';
    }
    strcpy(to, at);
}

bool elsewhere_same_type(const char *name, const char *type)
{
    char a[ELSEWHERE_WORD], b[ELSEWHERE_WORD];
    squeeze(a, name);
    squeeze(b, type);
    return strcmp(a, b) == 0;
}

const char *elsewhere_type(const char *name)
{
    char word[ELSEWHERE_WORD];
    squeeze(word, name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (names_hold(types[i][0], word))
            return types[i][1];
    return NULL;
}
