/* SPDX-License-Identifier: MIT */
/* The statements that audits rest on. */
#include "attack/audit.h"

#define TWO                                                                                        \
    "all trials independent, of one pair of neighbouring data sets and one attack; its threshold " \
    "and the method fixed before the data are seen"

const bound cp_limit = {
    .theorem = {.id = "cp-limit",
                .family = "audit",
                .verdict = DP_EXACT,
                .source = "Clopper, Pearson 1934, The use of confidence or fiducial limits",
                .statement = "low(k, n, a), the p with Pr[Bin(n, p) >= k] = a, exceeds the true "
                             "rate with probability at most a; up(k, n, a) = 1 - low(n-k, n, a)",
                .assumes = "n independent trials of one rate",
                .proof = "The tail grows with p, so low > p happens only on the outcomes whose "
                         "tail at p is below a."},
    .eval = audit_tpr,
    .output = {"tpr_lower"},
    .also = "fpr_upper|confidence|accuracy_lower",
    .only_all = true};

const bound audit_fisher = {
    .theorem =
        {.id = "audit-fisher",
         .family = "audit",
         .verdict = DP_PROVED,
         .source = "Fisher 1932, Statistical Methods for Research Workers, of two p-values at the "
                   "worst rate",
         .statement = "(epsilon, delta) is refuted where sup_x Pr[Bin(n1, F(x)) >= TP] "
                      "Pr[Bin(n0, x) <= FP] <= c, c (1 - ln c) = 1 - confidence, F(x) = "
                      "min(e^epsilon x + delta, 1 - e^-epsilon (1-x-delta))",
         .assumes = TWO,
         .proof = "At the true rates both tails are p-values and independent, so their product is "
                  "at most c with probability c (1 - ln c); the true rates lie under F. The "
                  "product grows with epsilon."},
    .eval = audit_eval_fisher,
    .output = {"epsilon_lower"},
    .also = "p_value|confidence"};

const bound audit_cp = {
    .theorem = {.id = "audit-cp",
                .family = "audit",
                .verdict = DP_PROVED,
                .source = "Jagielski, Ullman, Oprea 2020, Auditing Differentially Private Machine "
                          "Learning, with delta and both directions of one rectangle",
                .statement =
                    "epsilon >= max(0, ln((y-delta)/x), ln((1-x-delta)/(1-y))) with y = low(TP, "
                    "n1, a1), x = up(FP, n0, a0), a1 + a0 = 1 - confidence",
                .assumes = TWO,
                .proof =
                    "Off an event of probability a1 + a0 the rates are at least y and at most x; "
                    "then TPR <= e^epsilon FPR + delta and 1-FPR <= e^epsilon (1-TPR) + delta give "
                    "both logarithms."},
    .eval = audit_eval_rectangle,
    .output = {"epsilon_lower"},
    .also = "p_value|tpr_lower|fpr_upper|confidence"};

const bound audit_cp_sidak = {
    .theorem = {.id = "audit-cp-sidak",
                .family = "audit",
                .verdict = DP_PROVED,
                .source = "as audit-cp, with Sidak 1967, Rectangular Confidence Regions",
                .statement = "audit-cp with a1 = a0 = 1 - sqrt(confidence)",
                .assumes = TWO,
                .proof = "The two samples are independent: both limits hold with probability "
                         "(1-a1)(1-a0)."},
    .eval = audit_eval_sidak,
    .output = {"epsilon_lower"},
    .also = "p_value|tpr_lower|fpr_upper|confidence"};

const bound audit_curve = {
    .theorem = {.id = "audit-curve",
                .family = "audit",
                .verdict = DP_PROVED,
                .source = "as audit-cp",
                .statement = "delta(t) >= max(0, y - e^t x, 1 - x - e^t (1-y)) for all t at once",
                .assumes = TWO,
                .proof = "The same rectangle; nothing else can fail."},
    .eval = audit_eval_curve,
    .output = {"delta_lower"},
    .also = "epsilon|confidence"};

const bound audit_gdp = {
    .theorem = {.id = "audit-gdp",
                .family = "audit",
                .verdict = DP_PROVED,
                .source = "Nasr et al. 2023, Tight Auditing of Differentially Private Machine "
                          "Learning",
                .statement = "not mu-GDP for mu < Phi^-1(y) - Phi^-1(x), y and x as in audit-cp",
                .assumes = TWO,
                .proof = "The rates of a mu-GDP mechanism lie under Phi(Phi^-1(x) + mu). The "
                         "p-value is the least 1 - confidence at which the claimed mu is refuted."},
    .eval = audit_eval_gdp,
    .output = {"mu_lower"},
    .also = "p_value|tpr_lower|fpr_upper|confidence"};

const bound audit_gdp_to_eps = {
    .theorem = {.id = "audit-gdp-to-eps",
                .family = "audit",
                .verdict = DP_UNSOUND,
                .source =
                    "Nasr et al. 2023, Tight Auditing of Differentially Private Machine Learning, "
                    "read as a statement on every mechanism",
                .statement =
                    "epsilon at delta is at least that of the Gaussian profile at mu_lower",
                .assumes = TWO "; the true privacy curve is Gaussian",
                .proof = "True only if the true curve is Gaussian, which no audit shows.",
                .counterexample =
                    "randomized response with epsilon = 1 is (1, 0)-DP; its true rates "
                    "e/(1+e) and 1/(1+e) give mu = 1.2320, and an epsilon of 5.58 at delta "
                    "= 1e-5"},
    .eval = audit_eval_gdp_to_eps,
    .output = {"epsilon_lower"},
    .also = "confidence",
    .only_all = true};

const bound audit_logkatz = {
    .theorem =
        {.id = "audit-logkatz",
         .family = "audit",
         .verdict = DP_UNSOUND,
         .source = "Lu et al. 2022, A General Framework for Auditing Differentially Private "
                   "Machine Learning: Katz's interval of ln(TPR/FPR)",
         .statement = "epsilon >= ln(TP n0/(FP n1)) - z sqrt((1-TP/n1)/TP + (1-FP/n0)/FP)",
         .assumes = TWO,
         .proof = "A heuristic: the interval is right for large counts alone, and needs an ad-hoc "
                  "1/2 at FP = 0.",
         .counterexample = "n1 = n0 = 50 and both rates 0.95: the 95 % limit is above the true "
                           "logarithm 0 with probability 5.960 %"},
    .refuted_by = &audit_cp,
    .output = {"epsilon_lower"}};

const bound audit_bayes = {
    .theorem = {.id = "audit-bayes",
                .family = "audit",
                .verdict = DP_UNSOUND,
                .source =
                    "Zanella-Beguelin et al. 2022, Bayesian Estimation of Differential Privacy, as "
                    "a confidence limit",
                .statement =
                    "epsilon >= the (1 - confidence)-quantile of ln(TPR/FPR) under independent "
                    "Jeffreys posteriors",
                .assumes = TWO,
                .proof = "A heuristic: a posterior is no confidence; it depends on the prior.",
                .counterexample =
                    "n1 = n0 = 50, TPR 0.9, FPR 0.04: the 95 % lower limit is false with "
                    "probability 11.4 %"},
    .refuted_by = &audit_cp,
    .output = {"epsilon_lower"}};

const bound audit_coin = {
    .theorem = {.id = "audit-coin",
                .family = "audit",
                .verdict = DP_EXACT,
                .source = "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential "
                          "Privacy: the most that a guess is right",
                .statement = "epsilon >= max(0, ln((z-delta)/(1-z))), z = low(W, n, 1 - "
                             "confidence); p = Pr[Bin(n, (e^epsilon+delta)/(e^epsilon+1)) >= W]",
                .assumes = "a fair coin for membership in each trial; the attack always answers; "
                           "all trials independent, of one pair of neighbouring data sets and one "
                           "attack; its threshold and the method fixed before the data are seen",
                .proof = "Each answer is right with at most that probability, which randomized "
                         "response that leaks with probability delta attains in every trial."},
    .eval = audit_eval_coin,
    .output = {"epsilon_lower"},
    .also = "p_value|accuracy_lower|confidence"};

const bound onerun_pure = {
    .theorem =
        {.id = "onerun-pure",
         .family = "audit",
         .verdict = DP_EXACT,
         .source = SJN ", delta = 0",
         .statement =
             "Pr[W >= v] <= Pr[Bin(r, q) >= v], q = e^epsilon/(1+e^epsilon); inclusion "
             "rho: q = h e^epsilon/(h e^epsilon + 1 - h), h = max(rho, 1-rho), or, where it is "
             "told "
             "how many guesses said in, the tail of their sum with h = rho for these and 1 - "
             "rho for the others",
         .assumes = RUN "; delta = 0",
         .proof = "Given the guesses and the earlier coins, the odds of a coin are a ratio of "
                  "averages of pairs within e^epsilon: each guess is right with conditional "
                  "probability at most q, whatever r was. Randomized response attains it; at "
                  "another inclusion than 1/2, where all guesses are of the likelier kind."},
    .eval = audit_eval_pure,
    .output = {"epsilon_lower"},
    .also = "p_value|confidence"};

const bound onerun_exact = {
    .theorem = {.id = "onerun-exact",
                .family = "audit",
                .verdict = DP_EXACT,
                .source = "of this project, after " SJN,
                .statement =
                    "sup Pr[W >= v] = min(1, b + m delta b (1-b)/(v Pr[Bin(r, q) = v])), b = "
                    "Pr[Bin(r, q) >= v], q = e^epsilon/(1+e^epsilon), over all (epsilon, "
                    "delta)-DP mechanisms; positions fixed: r for m",
                .assumes = RUN "; the number of guesses fixed before the run",
                .proof =
                    "With u(c) = (1-b) Pr[Bin >= c]/(c Pr[Bin = c]) from v on and b Pr[Bin < c]/(c "
                    "Pr[Bin = c]) below, c u(c) - e^epsilon (r-c) u(c+1) = 1[c >= v] - b. Averaged "
                    "over outputs and coins, a flip of one coin turns the second sum into the "
                    "first's neighbour: Pr[W >= v] - b <= m delta max u, and u is largest at v. "
                    "Guesses at random positions by randomized response, tilted towards W >= v, "
                    "attain it."},
    .eval = audit_eval_run,
    .output = {"epsilon_lower"},
    .also = "p_value|confidence"};

const bound onerun_adaptive = {
    .theorem =
        {.id = "onerun-adaptive",
         .family = "audit",
         .verdict = DP_EXACT,
         .source = "of this project, after " SJN,
         .statement = "a rule W >= v(r), fixed for all r, has worst level min(1, l + m delta (1-l) "
                      "max_r b_r/(v_r Pr[Bin(r, q) = v_r])), b_r = Pr[Bin(r, q) >= v_r], l = max_r "
                      "b_r; outcomes ordered by Pr[Bin(r, q) >= W] at one reference epsilon: that "
                      "of the claim, else 1",
         .assumes = RUN "; the reference epsilon fixed before the run",
         .proof = "As onerun-exact with l for b: c u(c) - e^epsilon (r-c) u(c+1) >= 1[c >= v_r] - "
                  "l for every r, so the number of guesses may be that of the output. One r "
                  "attains l, another the maximum. The order does not move with epsilon, so the "
                  "rules are nested and the level grows."},
    .eval = audit_eval_adaptive,
    .output = {"epsilon_lower"},
    .also = "p_value|confidence"};

const bound onerun_fdp = {
    .theorem =
        {.id = "onerun-fdp",
         .family = "audit",
         .verdict = DP_PROVED,
         .source = "Mahloujifar, Melis, Chaudhuri 2024, Auditing f-Differential Privacy in One Run",
         .statement =
             "G(y) the least x with F(x) >= y; N = t, R = t v; for c = v..1: p = max(0, (m "
             "G(R/m) - r N + R)/(r-c+1)), N += p, R += (c-1) p; N > 1 at any time refutes "
             "Pr[W >= v] >= t. Of (epsilon, delta) it does from (v p + (1-b) m delta)/(v p + (1-b) "
             "(v - (r-v) e^epsilon)) on, where that is at most 1, b = Pr[Bin(r, q) >= v], p = "
             "Pr[Bin(r, q) = v], q = e^epsilon/(1 + e^epsilon)",
         .assumes = RUN "; the number of guesses fixed before the run; F bounds both directions of "
                        "a flip",
         .proof = "Pr[T_I = S_I, W >= c] for a random canary I becomes, when its coin is flipped, "
                  "[T_I = -S_I, W >= c-1]; F is concave. A pair (N, R) that is lower by (b, c b) "
                  "or more stays lower."},
    .eval = audit_eval_fdp,
    .output = {"epsilon_lower"},
    .also = "p_value|mu_lower|confidence"};

const bound onerun_2023 = {
    .theorem =
        {.id = "onerun-2023",
         .family = "audit",
         .verdict = DP_UNSOUND,
         .source = SJN ", code of the appendix",
         .statement = "Pr[W >= v] <= b + 2 m delta max over 1 <= i <= v of Pr[v > Bin(r, q) >= "
                      "v-i]/i, b = Pr[Bin(r, q) >= v]",
         .assumes = RUN "; the number of guesses fixed before the run",
         .proof = "A failure may depend on how many guesses are right so far. Where b <= 1/2 it is "
                  "larger than onerun-exact at all points that were tried (r up to 400), so that "
                  "audits at usual confidence stay true, and are weak.",
         .counterexample = "m = r = 3, v = 1, epsilon = 0, delta = 0.01: 0.8825 as printed, and a "
                           "mechanism attains 0.88375"},
    .eval = audit_eval_published,
    .output = {"epsilon_lower"},
    .also = "p_value|confidence",
    .only_all = true};
