/* SPDX-License-Identifier: MIT */
/* What the rows of amplification say alike. */
#ifndef SAMPLING_AMPLIFY_TEXTS_H
#define SAMPLING_AMPLIFY_TEXTS_H

#define BBG "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling"
#define SECRET "sampled indices secret and fresh; the learner (eps0, delta0)-DP"
#define RELATIONS                                                                                  \
    "without replacement: learner under replace-one, result under either relation (n the larger "  \
    "data set); Poisson: learner and result under add-remove, or both under both; "
#define PAIR                                                                                       \
    {                                                                                              \
        "epsilon", "delta"                                                                         \
    }

#endif
