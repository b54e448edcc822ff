# SPDX-License-Identifier: MIT
"""Questions, ledgers and broken documents for validate.py."""
import json

# Answered by an error on standard error.
FAULTS = ["bagging-with -n 10", "compose /no/such/file", "nonsense"]

INVOCATIONS = [
    "audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --method fisher --all",
    "audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --method cp --claim gdp"
    " --target-delta 1e-5 --assume-gaussian",
    "audit --true-positives 9 --positives 10 --false-positives 1 --negatives 10 --method sidak --target-epsilon 1",
    "audit --correct 15 --trials 20 --method coin --looks 2 --max-epsilon 1",
    "audit --one-run --canaries 100 --guesses 50 --correct 40 --inclusion 0.4 --said-in 20 --max-epsilon 1",
    "audit --one-run --canaries 100 --guesses 50 --correct 40 --method adaptive --target-delta 1e-5",
    "audit --one-run --canaries 100 --guesses 50 --correct 40 --method fdp --max-epsilon 1",
    "audit --one-run --canaries 20 --guesses 20 --correct 18 --method fdp --claim gdp --mu 1",
    "audit --one-run --canaries 20 --guesses 20 --correct 18 --method profile --claim gdp --mu 1 --all",
    "audit --one-run --canaries 20 --guesses 20 --correct 18 --method profile --claim-point 0.5,1e-3 --claim-point 1,1e-5",
    "audit --plan --claim-epsilon 1 --method coin --accuracy 0.9 --power 0.9",
    "audit --plan --claim-epsilon 1 --tpr 0.9 --fpr 0.1 --power 0.9 --method cp",
    "audit --plan --claim-epsilon 1 --tpr 0.5 --fpr 0.18 --power 0.9 --method cp",
    "audit --plan --one-run --claim-epsilon 1",
    "audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --method cp --claim gdp --mu 1.8",
    "audit --one-run --canaries 100 --guesses 50 --correct 40 --target-delta 1e-5 --positions fixed --method exact --all",
    "audit --one-run --canaries 100 --guesses 50 --correct 40 --method 2023 --adjacency replace-one",
    "bagging-with -n 60000 -k 300",
    "bagging-with -n 60000 -k 300 -N 10 --all --max-delta 0.05 --max-epsilon 1/3",
    "bagging-with -n 60000 -k 300 --max-delta 1e-9",
    "bagging-with -n 1 -k 1 --all --digits 1",
    "bagging-with -n 10^30 -k 10^20 -N 7 --digits 500 --adjacency replace-one",
    "bagging-with -n 10 --solve k --max-delta 0.19",
    "bagging-with -n 10 --solve k --max-delta 1",
    "bagging-with -n 10 --solve k --max-delta 0",
    "bagging-with -n 10 -k 2 --solve N --max-delta 0.5",
    "bagging-without -n 10 -k 2 -N 3 --all",
    "bagging-without -n 10 -k 10",
    "bagging-without -n 60000 -k 300 --solve N --max-delta 1/4",
    "compose -m 0.1,1e-6x35",
    "compose --epsilon 0.1 --delta 1e-6 --times 35",
    "curve --epsilon 0.1 --delta 1e-6 --times 35 --epsilon-range 0:1:2",
    "compose -m 0.1,1e-6x35 --target-delta 1e-5 --all",
    "compose -m 0.1,1e-6x35 --target-delta 1e-3 --all",
    "compose -m 0.1,1e-6x35 -m 'ln(3)' --target-epsilon 2.5 --all",
    "compose -m 0.1,1e-6x35 --slack 1e-7 --method kov",
    "compose -m 0.1,1e-6x35 --slack 1e-7 --method advanced",
    "compose -m 0.1,1e-6x35 --method basic",
    "compose -m 0.1x3 --max-epsilon 0.3",
    "compose -m 0.1x3 --max-epsilon 0.29 --max-delta 1e-300",
    "compose -m 'ln(3)x10' --max-epsilon 'ln(59049)' --adjacency replace-one",
    "compose -m 0.1x1e18 --max-epsilon 4995837500000000 --max-delta 1e-6", # open: says why
    "compose -m 0.1x20 --method zcdp --target-delta 1e-5",
    "compose -m 0.1x20 --method rdp --target-delta 1e-5",
    "compose -m 0.1x20 --method filter --target-delta 1e-5",
    "compose -m 1,1e-5x1000 --method he2021 --slack 1e-12 --all",
    "compose -m 1,1e-5x1000 --claim 697.2,0.0086",
    "compose -m 0.1x3 --claim 0.3",
    "compose -m 0.1x20 --add 0.2 --max-epsilon 2 --max-delta 1e-6",
    "compose -m 0.1x20 --add 0.2,1e-9 --solve times --max-epsilon 2 --max-delta 1e-6",
    "compose -m 0.1x20 --solve times --max-epsilon 3 --max-delta 1",
    "compose -m 0.1x20 --solve scale --uses 3 --max-epsilon 3 --max-delta 1e-6 --digits 2",
    "compose --solve epsilon --uses 100 --use-delta 1e-9 --max-epsilon 1 --max-delta 1e-6",
    "compose -m gaussian:sigma=2x3 -m laplace:scale=1 -m 0.1 --target-delta 1e-5 --all",
    "compose -m 0.1x3 --adaptive mechanisms",
    "filter -m 0.1,1e-9x3 --add 0.2x2 --slack 5e-7 --max-epsilon 2 --max-delta 1e-6 --all",
    "filter --add gaussian:sigma=20x10 --method gaussian --max-epsilon 1 --max-delta 1e-6",
    "filter -m laplace:scale=9 --add 'ln(3)' --method rdp --order 9/2 --max-epsilon 2 --max-delta 1e-6",
    "filter -m 'ln(3)x2' --add 0.5 --max-epsilon 3 --adjacency replace-one",
    "filter -m 0.5x2 --max-epsilon 1",
    "filter -m 0.5x2 --add 0.1 --max-epsilon 1",
    "compose -m gaussian:sigma=2,name=g --target-delta 1e-5",
    "compose -m laplace:scale=2,name=l --target-delta 1e-5",
    "compose -m randomized-response:epsilon=1,categories=4,name=r --target-delta 1e-5",
    "compose -m pair:p=1/2,1/2,q=1/4,3/4,directions=both,name=p --target-epsilon 0.1",
    "compose -m bounded-range:eta=1,name=b --target-delta 1e-5 --all",
    "compose -m sampled-laplace:scale=2,sensitivity=1,sampling-rate=0.1,name=sx100 --target-delta 1e-5 --digits 4",
    "curve -m bounded-range:eta=1 --epsilon-range 0:2:3",
    "compose -m zcdp:rho=0.1,name=z -m rdp:alpha=2,8,rdp=0.1,0.5,name=d --target-delta 1e-5",
    "compose -m randomized-response:epsilon=1,categories=4x3 -m pure-dp:epsilon=1 --target-delta 1e-5",
    "compose -m pair:p=1/2,1/2,q=1/4,3/4,directions=one --target-epsilon 0.1",
    "compose -m zcdp:rho=0.1,xi=0.01 -m rdp:alpha=2,8,rdp=0.1,0.5 --target-delta 1e-5 --all",
    "compose -m gaussian:sigma=2x3 -m zcdp:rho=0.1 --target-delta 1e-5 --method zcdp",
    "curve -m gaussian:sigma=1 --epsilon-range 0:2:3",
    "curve -m laplace:scale=1 --epsilon-range 0:2:3",
    "curve -m laplace:scale=1 -m 0.1 --epsilon-range 0:2:3 --digits 2",
    "curve -m zcdp:rho=0.1 --epsilon-range 0:2:3",
    "curve -m rdp:alpha=2,rdp=0.1 --epsilon-range 0:2:3",
    "divergence -m gaussian:sigma=1 --order 3",
    "gaussian --sigma 1 --times 3 --sensitivity 2 --target-delta 1e-5 --all",
    "gaussian --sigma 1 --target-epsilon 1 --method zcdp --max-delta 0.5",
    "gaussian --sigma 1 --target-delta 1e-5 --method rdp --adjacency replace-one",
    "gaussian --solve sigma --max-epsilon 1 --max-delta 1e-5",
    "gaussian --sigma 10 --solve times --max-epsilon 1 --max-delta 1e-5",
    "dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 1000 --target-delta 1e-5 --all",
    "dp-sgd --noise-multiplier 2 --sampling-rate 0.01 --steps 1 --group-size 2 --target-epsilon 1 --width 0.1",
    "compose -m 0.1x3 --target-delta 1e-5 --width 0.1",
    "curve -m 0.1x3 --delta-range 1e-5:1e-3:2 --width 0.1",
    "dp-sgd --noise-multiplier 2 --dataset-size 1000 --batch-size 10 --epochs 1/3 --target-epsilon 1"
    " --all --max-delta 0.5 --method rdp --adjacency add-remove",
    "dp-sgd --sampling-rate 0.01 --steps 10 --solve noise-multiplier --max-epsilon 1 --max-delta 1e-5"
    " --method rdp",
    "dp-sgd --noise-multiplier 2 --sampling-rate 0.01 --solve steps --max-epsilon 1 --max-delta 1e-5"
    " --method rdp",
    "dp-sgd --sampling-rate 1 --steps 10 --solve noise-multiplier --max-epsilon 1 --max-delta 1e-5"
    " --sampling poisson",
    "dp-sgd --noise-multiplier 9 --sampling-rate 1 --solve steps --max-epsilon 1 --max-delta 1e-5",
    "dp-sgd --noise-multiplier 2 --steps 1 --solve sampling-rate --max-epsilon 1 --max-delta 1e-5",
    "compose -m discrete-gaussian:sigma2=4,sensitivity=1,3x2 -m discrete-gaussian:sigma2=4 --target-delta 1e-3",
    "compose -m dp-sgd:noise-multiplier=4,sampling-rate=0.01,steps=100 --target-delta 1e-5 --all",
    "curve -m dp-sgd:noise-multiplier=4,sampling-rate=0.01,steps=1 --epsilon-range 0:1:2",
    "compose -m dp-sgd:noise-multiplier=4,sampling-rate=0.01,steps=10,name=s --target-delta 1e-5",
    "compose -m dp-sgd:noise-multiplier=4,dataset-size=1000,batch-size=10,epochs=1,group-size=2 --target-delta 1e-5",
    "laplace --scale 1 --target-delta 1e-5 --all",
    "laplace --scale 1 --target-delta 1e-5 --method zcdp",
    "laplace --scale 1 --target-epsilon 0.5 --method rdp",
    "laplace --scale 1 --times 2 --adjacency replace-one",
    "laplace --solve scale --max-epsilon 1 --max-delta 1e-3",
    "laplace --scale 10 --solve times --max-epsilon 1",
    "discrete-gaussian --sigma2 4 --target-delta 1e-3 --adjacency replace-one --all",
    "discrete-gaussian --sigma2 4 --target-delta 1e-3 --method rdp",
    "discrete-gaussian --sigma2 4 --sensitivity 1,2 --times 2 --target-epsilon 1 --method zcdp --group-size 2",
    "discrete-gaussian --solve sigma2 --max-epsilon 1 --max-delta 1e-3",
    "discrete-gaussian --sigma2 400 --solve times --max-epsilon 1 --max-delta 1e-3",
    "curve -m 0.1x100 --epsilon-range 0:5:3",
    "curve -m 0.1,1e-9x100 --delta-range 1e-10:1e-3:3 --digits 5",
    "convert --pure 0.1 --order 3 --digits 3",
    "convert --pure 'ln(3)' --to zcdp --max-epsilon 1 --max-delta 1e-5",
    "convert --pure 1 --target-delta 1e-5",
    "convert --approx 1,1e-6 --target-epsilon 0.5 --max-epsilon 0.5",
    "convert --zcdp 0.1,-0.01 --target-delta 1e-5 --all",
    "convert --zcdp 0.1 --target-epsilon 1 --all",
    "convert --zcdp 0.1 --order 3",
    "convert --rdp 2,0.05 --rdp 8,0.4 --target-delta 1e-5",
    "convert --rdp 2,0.05 --rdp 8,0.4 --target-epsilon 1",
    "convert --rdp 2,0.05 --rdp 8,0.4 --order 5",
    "convert --cdp 0.1,1 --to zcdp",
    "convert --cdp 0.1,1 --target-delta 1e-5",
    "convert --cdp 0.1,1 --target-epsilon 3",
    "convert --gdp 1 --target-delta 1e-5",
    "convert --gdp 1 --to zcdp",
    "convert --gdp 1 --max-epsilon 4.4 --max-delta 1e-5",
    "advantage --approx 1,1e-5 --all --max-advantage 0.5 --prior 1/10 --max-memory 1e9",
    "compose -m 0.1x35 --target-delta 1e-6 --threads 2",
    "advantage --pure 'ln(3)' --game in-out --max-advantage 0.4",
    "advantage --approx 1,1e-5 --all --belief 1 --kappa 0.6 --members 100 --trainings 3 --fpr 0.1 --tpr 1/2",
    "advantage --approx 1,1e-5 --adjacency replace-one --secrets 3 --kappa 2/3 --all",
    "advantage --approx 'ln(3),1e-5' --adjacency replace-one --secrets 3",
    "advantage --gdp 1 --belief 1 --secrets 10 --fpr 0.01 --digits 20",
    "advantage --of bagging-with -n 100 -k 10 --belief 1 --secrets 9 --adjacency replace-one",
    "advantage --zcdp 0.1 --all",
    "advantage --zcdp 0.1 --delta 0.01 --digits 3",
    "advantage --zcdp 0.1,0.01 --max-advantage 0.22",
    "advantage --rdp 2,0.1 --rdp 8,0.5 --all --prior 0.3",
    "advantage --gdp 1 --game replaced --adjacency replace-one",
    "advantage --of gaussian --sigma 1 --times 3",
    "advantage --of gaussian --sigma 1 --belief 1",
    "advantage -m 0.1x10 --group 2",
    "advantage --of bagging-with -n 100 -k 10",
    "advantage --solve epsilon --max-advantage 0.1 --delta 1e-5",
    "advantage --solve rho --max-advantage 0.1",
    "advantage --pure 1 --fpr 0.1 --fpr 0.2 --tpr 0.5 --members 100 --belief 1 --secrets 10 --kappa 0.2",
    "advantage --solve mu --max-advantage 1",
    "advantage --solve epsilon --max-advantage 0.1 --delta 0.2",
    "kl-bound --epsilon 0.1 --all",
    "kl-bound --epsilon 0",
    "kl-bound --epsilon 100000 --all",
    "kl-bound --epsilon 1e-200 --times 10^30",
    "kl-bound -m 0.1x10 -m 'ln(2)'",
    "pate --aggregator gnmax --sigma 40 --queries 1000 --target-delta 1e-5 --all",
    "pate --aggregator confident-gnmax --sigma 40 --sigma-threshold 150 --queries 30 --answered 20"
    " --target-epsilon 1 --all --adjacency replace-one --max-epsilon 1 --max-delta 1e-9",
    "pate --aggregator lnmax --inverse-scale 2/50 --queries 9",
    "pate --aggregator lnmax --inverse-scale 2/50 --solve queries --max-epsilon 1 --max-delta 1e-3 --all",
    "pate --aggregator lnmax --inverse-scale 2 --solve queries --max-epsilon 1 --max-delta 1e-3",
    "pate --aggregator gnmax --solve sigma --max-epsilon 1 --max-delta 1e-5 --all",
    "compose -m pate:aggregator=gnmax,sigma=40,queries=100,name=votes"
    " -m pate:aggregator=lnmax,inverse-scale=1/50 --target-delta 1e-5",
    "compose -m pate:aggregator=confident-gnmax,sigma=40,sigma-threshold=150,queries=9,answered=3"
    " --target-delta 1e-5",
    "rr-prob -K 11 --epsilon 0.1 --allowance 3 --all",
    "rr-prob -K 5 --epsilon 'ln(2)' --target-epsilon 'ln(4)' --max-epsilon 'ln(4)'",
    "rr-prob -K 35 --epsilon 0.1 --delta 1e-5 --target-epsilon 0.65 --target-delta 0.1001"
    " --composition general --slack 0.1 --all",
    "bagging-without -n 10 -k 2 --max-epsilon 1 --max-delta 0.3",
    "compose -m bagging-with:n=10,k=4000,base-epsilon=0.001 --target-epsilon 0.01",
    "compose -m bagging-with:n=1000,k=100000,base-epsilon=0.001 --target-epsilon 0.01",
    "compose -m bagging-with:n=10,k=4000,base-epsilon=0.001x2 --target-epsilon 9",
    "curve -m 0.1x3 --epsilon-range 0:1:2 --max-epsilon 0.3 --max-delta 0.1 --adjacency replace-one",
    "iterative-gaussian --samples 600 --batch-size 60 --times 10 --diameter 2 --sigma 0.1"
    " --target-epsilon 1 --max-epsilon 1 --max-delta 0.5",
    "majority -K 3 --epsilon 1 --allowance 1 --design constant --max-epsilon 1 --max-delta 0.1",
    "rr-prob -K 3 --epsilon 1 --allowance 1 --max-epsilon 1 --max-delta 0.1",
    "compose -m 0.1x20 --add 0.2x3 --add gaussian:sigma=9 --max-epsilon 9 --max-delta 1e-6",
    "compose -m 0.1x20 --add 0.2 --max-epsilon 1",
    "compose -m 0.1x20 -m gaussian:sigma=4,date=2026-01-31,x-a=b --by-entry --target-delta 1e-5",
    "compose -m 0.1,1e-3x20 -m 0.1 --by-entry --target-epsilon 2",
    "theorems",
    "theorems bagging-with-exact",
    "theorems rr-prob-printed",
    "theorems --search Kairouz --verdict exact --command compose",
]

LINES = [
    '{"command": "compose", "mechanisms": [{"epsilon": "0.1"}, {"mechanism": "parallel", "partition": "a", "times": 2,'
    ' "name": "c", "cells": [[{"epsilon": 1, "name": "n"}], [{"mechanism": "laplace", "scale": 2}], []]}],'
    ' "adjacency": "replace-one", "target_delta": "1e-5", "all": true}',
    '{"command": "curve", "mechanisms": [{"mechanism": "parallel", "cells": [[{"epsilon": 1}]]}],'
    ' "epsilon_range": "0:1:2"}',
    '{"command": "pate", "aggregator": "lnmax", "inverse_scale": 0.1, "votes": [[9, 1, 0], ["7/2", 3, 4]],'
    ' "target_delta": "1e-5", "all": true}',
    '{"command": "pate", "aggregator": "confident-gnmax", "sigma": 9, "sigma_threshold": 20,'
    ' "threshold": 7, "teachers": 10, "votes": "9,1;5,5", "target_epsilon": 1, "max_epsilon": 1}',
    '{"command": "pate", "aggregator": "lnmax", "inverse_scale": 0.1, "instance": [["1/2", 0.5, 0]],'
    ' "classes": 3, "target_delta": 0.1, "all": true}',
    '{"command": "pate", "aggregator": "lnmax", "inverse_scale": 1, "instance": [["1/2", 0.5]], "votes": [[30, 1]],'
    ' "target_delta": 0.1}',
    '{"command": "pate", "aggregator": "gnmax", "sigma": 9, "votes": [[9, 1]], "max_delta": 0.1}',
    '{"command": "majority", "mechanisms": 5, "epsilon": 0.1, "delta": 0.01, "target_epsilon": 0.2,'
    ' "gamma": [1, 0.25, "9/10", 0.9, 0.25, 1], "votes": [0.9, 0.8, 0.7, 0.6, "11/20"]}',
    '{"command": "majority", "mechanisms": 3, "epsilon": 1, "allowance": 1, "vote_mean": [0.6],'
    ' "sample": 2, "slack": 0.1, "all": true}',
    '{"command": "majority", "mechanism": ["0.1,1e-5x2", "0.5x1"], "target_epsilon": 0.4,'
    ' "prior": "mean", "means": [0.9]}',
    '{"command": "compose", "mechanisms": [{"mechanism": "bagging-with", "n": 60000, "k": 300},'
    ' {"name": "votes", "mechanism": "bagging-without", "n": 1000, "k": 10, "N": 5,'
    ' "subsamples": "independent", "base_epsilon": "ln(3)", "base_delta": 1e-6, "times": 2},'
    ' {"mechanism": "bagging-poisson", "sampling-rate": "1/100"}, {"epsilon": 1}],'
    ' "target_delta": 0.2}',
    '{"command": "bagging-with", "n": 60000, "k": 300}',
    '{"command": "bagging-with", "n": 60000, "k": 300, "id": 1}',
    '{"command": "bagging-with", "n": 60000, "k": 300, "id": null}',
    '{"command": "bagging-with", "n": 60000, "k": 300, "id": {"a": [1.50, "x", true]}}',
    '{"command": "compose", "mechanisms": [{"name": "first", "epsilon": 0.1, "times": 3}]}',
    '{"command": "compose", "mechanism": ["0.1,1e-6x35", "ln(2)"], "target_delta": "1e-3"}',
    '{"command": "compose", "mechanisms": [{"epsilon": 0.1, "date": "2026-02-01", "url": "u"}], "x-": 1,'
    ' "owner": "o", "note": "n", "from": "2026-01-01", "to": "2026-03-31"}',
    '{"command": "compose", "mechanism": ["0.1x3", "gaussian:sigma=2,date=2025-01-01"], "mechanisms":'
    ' [{"epsilon": 1, "date": "2026-02-01"}, {"epsilon": 1, "date": "2026-04-01"}], "to": "2026-03-31",'
    ' "by_entry": true, "target_delta": "1e-5"}',
    '{"command": "kl-bound", "mechanism": "0.1x3"}',
    '{"command": "convert", "rdp": ["2,0.05", "8,0.4"], "target_delta": "1e-5"}',
    '{"command": "convert", "rdp": [2, 0.05, 8, 0.4], "order": 3}',
    '{"command": "convert", "zcdp": 0.1, "to": "zcdp"}',
    '{"command": "bagging-with", "n": 0, "k": 300, "id": 7}',
    '{"command": "nothing", "id": [7]}',
    "not JSON",
    "[]",
    "{}",
]


def described():
    """Lines that name every word of a learner, alone and as an item, and every row that an item
    alone can have."""
    words = ("as-needed", "add-remove", "replace-one", "both")
    learners = [{"base_epsilon": 0.1, "base_adjacency": word} for word in words]
    sizes = {"bagging-with": {"n": 100, "k": 10}, "bagging-without": {"n": 100, "k": 10},
             "bagging-poisson": {"sampling_rate": "0.1"}}
    for name, size in sizes.items():
        for learner in learners:
            yield {"command": name, **size, **learner, "target_delta": 0.01}
            item = {"mechanism": name, "name": "votes", **size, **learner}
            yield {"command": "compose", "mechanisms": [item]}
            for more in ({}, {"N": 2}):
                yield {"command": "compose", "mechanisms": [item | more], "target_delta": 0.01}
                yield {"command": "compose", "mechanisms": [item | more], "target_epsilon": 0.1}
                yield {"command": "curve", "mechanisms": [item | more], "epsilon_range": "0.1:1:2"}
                yield {"command": "curve", "mechanisms": [item | more], "delta_range": "0.01:0.1:2"}
    replaced = {"mechanism": "bagging-poisson", "sampling_rate": "0.1", "base_epsilon": 0.1,
                "base_adjacency": "replace-one"}
    for question in ({"command": "compose", "target_epsilon": 0.01},
                     {"command": "curve", "epsilon_range": "0:1:2"}):
        yield {**question, "mechanisms": [replaced], "adjacency": "replace-one"}
    yield {"command": "bagging-with", "n": 100, "k": 10, "N": 2, "base_epsilon": 0.1}
    yield {"command": "bagging-poisson", "sampling_rate": "0.1", "solve": "N", "max_delta": 0.5}
    yield {"command": "compose", "mechanisms": [{"epsilon": 1}], "method": "kov", "solve": "slack",
           "target_delta": 0.1}
    yield {"command": "iterative-gaussian", "samples": 600, "batch_size": 60, "times": 10,
           "diameter": 2, "sigma": "0.1", "target_epsilon": 1}


LINES += map(json.dumps, described())


def set_in(*path_and_value):
    """Puts the last argument at the path of the others."""
    *path, last, value = path_and_value

    def change(document):
        for key in path:
            document = document[key]
        document[last] = value

    return change


def drop(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return change


BAG = "bagging-with -n 60000 -k 300 --max-delta 0.1"
LIST = "compose -m 0.1x3"
NOISE = "majority -K 3 --epsilon 1 --allowance 1 --design constant"
# title, invocation, change, refused by the closed copy only
BROKEN = [
    ("no schema", BAG, drop("schema"), False),
    ("another schema", BAG, set_in("schema", "dpacct/2"), False),
    ("no version", BAG, drop("version"), False),
    ("no command", BAG, drop("command"), False),
    ("unknown command", BAG, set_in("command", "bagging"), False),
    ("no input", BAG, drop("input"), False),
    ("input as a number", BAG, set_in("input", "n", 60000), False),
    ("input not exact", BAG, set_in("input", "n", "6e4 "), False),
    ("input hexadecimal", BAG, set_in("input", "n", "0x10"), False),
    ("n missing", BAG, drop("input", "n"), False),
    ("no results", BAG, drop("results"), False),
    ("no warnings", BAG, drop("warnings"), False),
    ("warning not text", BAG, set_in("warnings", [1]), False),
    ("no notes", BAG, drop("notes"), False),
    ("adjacency misspelt", BAG, set_in("adjacency", "add/remove"), False),
    ("verdict misspelt", BAG, set_in("guarantee", "verdict", "Exact"), False),
    ("row without theorem", BAG, drop("results", 0, "theorem"), False),
    ("delta as text", BAG, set_in("guarantee", "delta", "4.98e-3"), False),
    ("delta negative", BAG, set_in("guarantee", "delta", -1e-9), False),
    ("delta without enclosure", BAG, drop("guarantee", "delta_enclosure"), False),
    ("enclosure of numbers", BAG, set_in("guarantee", "delta_enclosure", [0, 1]), False),
    ("enclosure of one end", BAG, set_in("guarantee", "delta_enclosure", ["0"]), False),
    ("enclosure of three", BAG, set_in("guarantee", "delta_enclosure", ["0", "0", "1"]), False),
    ("decimal without a whole part", BAG, set_in("guarantee", "delta_enclosure", 0, ".5"), False),
    ("decimal with a plus", BAG, set_in("guarantee", "delta_enclosure", 1, "1e+5"), False),
    ("decimal with a leading zero", BAG, set_in("guarantee", "delta_enclosure", 1, "05"), False),
    ("decimal with a comma", BAG, set_in("guarantee", "delta_enclosure", 1, "0,5"), False),
    ("infinity misspelt", BAG, set_in("guarantee", "delta_enclosure", 1, "inf"), False),
    ("infinity as null", BAG, set_in("guarantee", "delta", None), False),
    ("count as text", "bagging-with -n 10 --solve k --max-delta 0.5",
     set_in("guarantee", "k", "6"), False),
    ("count without its exact text", "bagging-with -n 10 --solve k --max-delta 0.5",
     drop("guarantee", "k_exact"), False),
    ("count not whole", "bagging-with -n 10 --solve k --max-delta 0.5",
     set_in("guarantee", "k_exact", "6.0"), False),
    ("check without an answer", BAG, drop("check", "holds"), False),
    ("answer as text", BAG, set_in("check", "holds", "true"), False),
    ("no check", LIST, drop("check"), False),
    ("no guarantee", LIST, drop("guarantee"), False),
    ("budget as text", BAG, set_in("check", "max_delta", "0.1"), False),
    ("budget without its exact text", BAG, drop("check", "max_delta_exact"), False),
    ("open without why", BAG, set_in("check", "holds", None), False),
    ("why beside an answer", BAG, set_in("check", "why", "x"), False),
    ("claim without a verdict", "compose -m 0.1x3 --claim 0.3", drop("claim", "verdict"), False),
    ("mechanism without times", LIST, drop("input", "mechanisms", 0, "times"), False),
    ("method unknown", LIST, set_in("input", "method", "best"), False),
    ("unsound without counterexample", "theorems rr-prob-printed",
     drop("theorems", 0, "counterexample"), False),
    ("theorem without proof", "theorems rr-prob-printed", drop("theorems", 0, "proof"), False),
    ("no theorems", "theorems", set_in("theorems", []), False),
    ("key added to the answer", BAG, set_in("warning", []), True),
    ("key added to the input", BAG, set_in("input", "m", "1"), False),
    ("input of another command", BAG, set_in("input", "epsilon", "1"), False),
    ("key added to the guarantee", BAG, set_in("guarantee", "detla", 0), True),
    ("key added to a row", BAG, set_in("results", 0, "note", ""), True),
    ("key added to the check", BAG, set_in("check", "by", "x"), True),
    ("key added to a mechanism", LIST, set_in("input", "mechanisms", 0, "eps", "1"), False),
    ("key added to a theorem", "theorems", set_in("theorems", 0, "year", 2021), True),
    ("figure of another command", BAG, set_in("results", 0, "kl", 1), True),
    ("solved figure of another command", BAG, set_in("guarantee", "q", 1), True),
    ("theorem of another command", BAG, set_in("guarantee", "theorem", "compose-basic"), False),
    ("theorem of a later version", BAG, set_in("guarantee", "theorem", "bagging-later"), True),
    ("theorem not a name", BAG, set_in("guarantee", "theorem", "bagging with"), False),
    ("delta above 1", BAG, set_in("guarantee", "delta", 1.5), False),
    ("share as infinity", BAG, set_in("guarantee", "delta", "Infinity"), False),
    ("enclosure without its figure", BAG, drop("results", 0, "delta"), False),
    ("exact text without its figure", "bagging-with -n 10 --solve k --max-delta 0.5",
     drop("guarantee", "k"), False),
    ("count negative", BAG, set_in("input", "n", "-5"), False),
    ("count zero", BAG, set_in("input", "n", "0"), False),
    ("count a logarithm", BAG, set_in("input", "n", "ln(3)"), False),
    ("choice of another command", BAG, set_in("input", "solve", "q"), False),
    ("two targets", BAG, lambda d: d["input"].update(target_epsilon="1", target_delta="0"), False),
    ("no target", "rr-prob -K 3 --epsilon 1 --allowance 2", drop("input", "allowance"), False),
    ("default left out", LIST, drop("input", "method"), False),
    ("flag false", "generalization --epsilon 1 --one-sided",
     set_in("input", "one_sided", False), False),
    ("claim of another command", BAG,
     set_in("claim", {"epsilon": "1", "delta": "0", "verdict": "proved", "holds": True}), False),
    ("check where there is none", "kl-bound --epsilon 1",
     set_in("check", {"holds": True, "max_epsilon": 1, "max_epsilon_exact": "1", "max_delta": 0,
                      "max_delta_exact": "0"}), False),
    ("no adjacency", BAG, drop("adjacency"), False),
    ("budget above 1", BAG, set_in("check", "max_delta", 2), False),
    ("loss negative", LIST, set_in("input", "mechanisms", 0, "epsilon", "-0.1"), False),
    ("delta of a mechanism a logarithm", LIST,
     set_in("input", "mechanisms", 0, "delta", "ln(1)"), False),
    ("mechanism without delta", LIST, drop("input", "mechanisms", 0, "delta"), False),
    ("mechanism of no known type", LIST,
     set_in("input", "mechanisms", 0, "mechanism", "gaussian-ish"), False),
    ("pair with a type", LIST, set_in("input", "mechanisms", 0, "mechanism", "bagging-with"), False),
    ("no mechanisms", "curve -m 0.1 --epsilon-range 0:1:2", drop("input", "mechanisms"), False),
    ("a list and one mechanism", "curve -m 0.1 --epsilon-range 0:1:2",
     set_in("input", "epsilon", "1"), False),
    ("value without its kind", "divergence --epsilon 1", drop("results", 0, "divergence"), False),
    ("kind misspelt", "divergence --epsilon 1", set_in("results", 0, "divergence", "tv"), False),
    ("kind without its value", "divergence --epsilon 1", drop("results", 1, "value"), False),
    ("total variation above 1", "divergence --epsilon 1", set_in("results", 0, "value", 2), False),
    ("theorems without a check", "theorems", drop("check"), False),
    ("theorems with a guarantee", "theorems", set_in("guarantee", {}), False),
    ("design misspelt", NOISE, set_in("guarantee", "design", "optimum"), False),
    ("gamma not exact", NOISE, set_in("guarantee", "gamma", 0, "0x1"), False),
    ("gamma without its design", NOISE, drop("guarantee", "design"), False),
    ("worst case nowhere", NOISE, set_in("guarantee", "worst", "(a, b)", "1"), False),
    ("vacuous false", "generalization --epsilon 1 --all",
     set_in("results", 0, "vacuous", False), False),
]

# One answer of each command, of which every value and every object is changed in turn.
MUTATED = [
    "audit --correct 150 --trials 200 --target-delta 1e-5 --max-epsilon 0.5",
    "filter -m 'ln(3)' --add laplace:scale=9 --slack 5e-7 --max-epsilon 2 --max-delta 1e-6",
    "bagging-with -n 60000 -k 600 --base-epsilon 1 --base-delta 1e-5 --max-delta 0.1",
    "bagging-without -n 10 --solve k --max-delta 0.5",
    "bagging-poisson --sampling-rate 0.1 -N 2 --target-epsilon 1 --adjacency replace-one",
    "compose -m 0.1,1e-6x3 -m 0.2 --claim 0.3 --all",
    "compose -m 0.1x20 --method zcdp --target-delta 1e-5",
    "curve -m 0.1x3 --epsilon-range 0:1:3",
    "divergence --epsilon 0.1 --all",
    "generalization --epsilon 0.1 --delta 1e-6 --gap 0.2 --failure 0.01 --solve samples --one-sided",
    "iterative-gaussian -N 600 --batch-size 600 -T 10 --diameter 2 --sigma 0.01 --target-delta 1e-5",
    "convert --pure 0.1 --order 3 --digits 3",
    "convert --pure 'ln(3)' --to zcdp --max-epsilon 1 --max-delta 1e-5",
    "convert --pure 1 --target-delta 1e-5",
    "convert --approx 1,1e-6 --target-epsilon 0.5 --max-epsilon 0.5",
    "convert --zcdp 0.1,-0.01 --target-delta 1e-5 --all",
    "convert --zcdp 0.1 --target-epsilon 1 --all",
    "convert --zcdp 0.1 --order 3",
    "convert --rdp 2,0.05 --rdp 8,0.4 --target-delta 1e-5",
    "convert --rdp 2,0.05 --rdp 8,0.4 --target-epsilon 1",
    "convert --rdp 2,0.05 --rdp 8,0.4 --order 5",
    "convert --cdp 0.1,1 --to zcdp",
    "convert --cdp 0.1,1 --target-delta 1e-5",
    "convert --cdp 0.1,1 --target-epsilon 3",
    "convert --gdp 1 --target-delta 1e-5",
    "convert --gdp 1 --to zcdp",
    "convert --gdp 1 --max-epsilon 4.4 --max-delta 1e-5",
    "kl-bound --epsilon 0.1 --all",
    "majority -K 3 --epsilon 1 --allowance 1 --votes 0.6,0.7,0.8",
    "rr-prob -K 5 --epsilon 0.1 --allowance 2 --all",
]

# Theorems that no question here shows.
ANY_LEARNER = {"bagging-with-exact", "bagging-without-exact", "bagging-independent-exact"}
UNSEEN = {
    # heuristics, without a figure of their own
    ("row_audit", "theorem"): {"audit-logkatz", "audit-bayes"},
    # it says that no figure is possible
    ("row_bagging_without", "theorem"): {"bagging-independent-tightness"},
    ("row_filter", "theorem"): {"filter-optimal", "odometer-optimal"},
    # an item alone, where a limit leaves the figures of its private learner wider than these
    ("row_compose", "theorem"): ANY_LEARNER,
    ("row_curve", "theorem"): ANY_LEARNER
    | {"amplify-composed", "amplify-with-bbg", "amplify-with-hybrid"},
}

GOOD_LEDGERS = [
    '{"mechanisms": [{"mechanism": "parallel", "cells": [[{"epsilon": "0.1", "note": 1}, {"mechanism": "gaussian",'
    ' "sigma": 2}], []], "partition": "region", "times": 3, "date": "2026-01-01"}],'
    ' "target_delta": "1e-5"}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 60000, "k": 300, "times": 3},'
    ' {"mechanism": "bagging-without", "dataset-size": 1000, "subsample_size": 10}]}',
    '{"mechanisms": [{"epsilon": "0.1"}]}',
    '{"mechanisms": [{"mechanism": "gaussian", "sigma": 2, "times": 10}, {"mechanism": "laplace",'
    ' "scale": "1/3", "sensitivity": 2}, {"mechanism": "randomized-response", "epsilon": "ln(3)",'
    ' "categories": 10}, {"mechanism": "pair", "p": ["1/2", 0.5], "q": [0.25, "3/4"]}],'
    ' "target_delta": 1e-5}',
    '{"mechanisms": [{"mechanism": "zcdp", "rho": 0.1, "xi": 0}, {"mechanism": "rdp", "alpha": [2, 8],'
    ' "rdp": [0.1, "1/2"], "name": "x"}], "target_delta": 1e-5}',
    '{"mechanisms": [{"name": "counts", "epsilon": 0.1, "delta": 1e-6, "times": 35},'
    ' {"mechanism": "pure-dp", "epsilon": "ln(3)"}], "target_delta": "1e-3"}',
    '{"target-epsilon": "2^-3", "method": "optimal", "adjacency": "replace-one",'
    ' "mechanisms": [{"mechanism": "approx-dp", "epsilon": "1/3", "delta": "0"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "times": "10^3"}], "max_epsilon": 1000, "max_delta": "0",'
    ' "digits": 20, "slack": "1e-9"}',
    '{"x-department": {"id": [7]}, "date": "2026-01-01", "owner": null, "note": ["a"], "url": "b",'
    ' "mechanisms": [{"epsilon": 1, "x-query": 7, "date": "2024-02-29T23:59:60Z", "owner": {}, "note": "c", "url": true},'
    ' {"mechanism": "bagging-poisson", "sampling-rate": 0.5, "x-": 0, "note": {"epsilon": 2}}]}',
    '{"mechanisms": [{"epsilon": "-0", "delta": "1", "times": "4/2"}, {"epsilon": "-ln(1/2)"},'
    ' {"epsilon": 1.5e0, "delta": 1e-5, "times": 1E1}], "claim": "20,1e-6"}',
    '{"mechanisms": [{"mechanism": "bagging-without", "n": "10^3", "k": 10, "models": 5,'
    ' "subsamples": "independent", "base-epsilon": "ln(3)", "base_delta": "1/9",'
    ' "base_adjacency": "both", "adjacency": "add-remove"}]}',
]

BAD_LEDGERS = [
    '{"mechanisms": [{"mechanism": "parallel"}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": []}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": [{"epsilon": 1}]}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": [[1]]}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": [[{"mechanism": "parallel", "cells": [[{"epsilon": 1}]]}]]}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": [[{"epsilon": 1}]], "partition": 1}]}',
    '{"mechanisms": [{"mechanism": "parallel", "cells": [[{"epsilon": 1}]], "epsilon": 1}]}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 60000, "k": 300, "epsilon": 1}]}',
    '{"mechanisms": [{"mechanism": "bagging", "n": 60000, "k": 300}]}',
    "[]",
    "{}",
    '{"mechanisms": []}',
    '{"mechanisms": {}}',
    '{"mechanisms": [{}]}',
    '{"mechanisms": [1]}',
    '{"mechanisms": [{"epsilon": true}]}',
    '{"mechanisms": [{"epsilon": "0,1"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "eps": "1"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "name": 5}]}',
    '{"mechanisms": [{"epsilon": "0.1", "mechanism": "gaussian-ish"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "mechanism": "pure-dp", "delta": "1e-9"}]}',
    '{"mechanisms": [{"epsilon": "0.1"}], "target": "1"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "target_delta": "1e-5", "target_epsilon": "1"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "method": "best"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "adjacency": "none"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "x_team": 1}',
    '{"mechanisms": [{"epsilon": "0.1"}], "times": 2}',
    '{"mechanisms": [{"epsilon": "0.1", "dates": 1}]}',
    '{"mechanisms": [{"epsilon": "0.1"}], "command": "compose"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "from": "2026-01-01"}',
    '{"mechanisms": [{"epsilon": "0.1", "date": "2026-1-31"}]}',
    '{"mechanisms": [{"epsilon": "0.1"}], "date": 20260131}',
    '{"mechanisms": [{"epsilon": -0.1}]}',
    '{"mechanisms": [{"epsilon": "-1e-5"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "delta": 1.5}]}',
    '{"mechanisms": [{"epsilon": "0.1", "delta": "ln(1)"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "times": 0}]}',
    '{"mechanisms": [{"epsilon": "0.1", "times": "0.0"}]}',
    '{"mechanisms": [{"epsilon": "0.1", "times": 1.5}]}',
    '{"mechanisms": [{"epsilon": "0.1", "times": "-1"}]}',
    '{"mechanisms": [{"epsilon": "0.1"}], "digits": 10001}',
    '{"mechanisms": [{"epsilon": "0.1"}], "slack": 2, "method": "kov"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "claim": "1", "max-epsilon": 1}',
    '{"mechanisms": [{"epsilon": "0.1"}], "claim": "1", "add": "1"}',
    '{"mechanisms": [{"epsilon": "0.1"}], "all": true}',
    '{"mechanisms": [{"mechanism": "bagging-with", "k": 300}]}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 10, "dataset-size": 10, "k": 3}]}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 10, "k": 3, "subsamples": "disjoint"}]}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 10, "k": 3, "solve": "k"}]}',
    '{"mechanisms": [{"mechanism": "bagging-poisson", "sampling_rate": 1.5}]}',
    '{"mechanisms": [{"mechanism": "bagging-with", "n": 10, "k": 3, "base_epsilon": 2e8}]}',
]
