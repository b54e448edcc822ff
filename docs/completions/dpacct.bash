# bash completion for dpacct, made by 'dpacct completion bash'
_dpacct()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "--help --version advantage audit bagging-with bagging-without bagging-poisson compose convert curve discrete-gaussian divergence dp-sgd filter gaussian generalization iterative-gaussian kl-bound laplace majority pate rr-prob theorems batch completion" -- "$cur"))
        return
    fi
    case "${COMP_WORDS[1]} $prev" in
    'advantage --game') COMPREPLY=($(compgen -W "in-out replaced" -- "$cur")); return ;;
    'advantage --solve') COMPREPLY=($(compgen -W "epsilon rho mu" -- "$cur")); return ;;
    'advantage --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'advantage --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'audit --positions') COMPREPLY=($(compgen -W "fixed" -- "$cur")); return ;;
    'audit --method') COMPREPLY=($(compgen -W "fisher cp sidak coin exact adaptive fdp profile 2023" -- "$cur")); return ;;
    'audit --claim') COMPREPLY=($(compgen -W "gdp" -- "$cur")); return ;;
    'audit --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'audit --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'bagging-with --base-adjacency') COMPREPLY=($(compgen -W "as-needed add-remove replace-one both" -- "$cur")); return ;;
    'bagging-with --solve') COMPREPLY=($(compgen -W "k N" -- "$cur")); return ;;
    'bagging-with --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'bagging-with --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'bagging-without --subsamples') COMPREPLY=($(compgen -W "disjoint independent" -- "$cur")); return ;;
    'bagging-without --base-adjacency') COMPREPLY=($(compgen -W "as-needed add-remove replace-one both" -- "$cur")); return ;;
    'bagging-without --solve') COMPREPLY=($(compgen -W "k N" -- "$cur")); return ;;
    'bagging-without --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'bagging-without --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'bagging-poisson --base-adjacency') COMPREPLY=($(compgen -W "as-needed add-remove replace-one both" -- "$cur")); return ;;
    'bagging-poisson --solve') COMPREPLY=($(compgen -W "q N" -- "$cur")); return ;;
    'bagging-poisson --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'bagging-poisson --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'compose --method') COMPREPLY=($(compgen -W "optimal basic advanced kov he2021 zcdp rdp filter" -- "$cur")); return ;;
    'compose --solve') COMPREPLY=($(compgen -W "times epsilon slack sigma scale" -- "$cur")); return ;;
    'compose --adaptive') COMPREPLY=($(compgen -W "mechanisms parameters" -- "$cur")); return ;;
    'compose --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'compose --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'convert --to') COMPREPLY=($(compgen -W "zcdp" -- "$cur")); return ;;
    'convert --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'curve --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'curve --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'discrete-gaussian --solve') COMPREPLY=($(compgen -W "sigma2 times" -- "$cur")); return ;;
    'discrete-gaussian --method') COMPREPLY=($(compgen -W "optimal zcdp rdp" -- "$cur")); return ;;
    'discrete-gaussian --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'discrete-gaussian --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'divergence --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'dp-sgd --method') COMPREPLY=($(compgen -W "pld rdp" -- "$cur")); return ;;
    'dp-sgd --sampling') COMPREPLY=($(compgen -W "poisson" -- "$cur")); return ;;
    'dp-sgd --solve') COMPREPLY=($(compgen -W "noise-multiplier steps sampling-rate" -- "$cur")); return ;;
    'dp-sgd --adjacency') COMPREPLY=($(compgen -W "add-remove" -- "$cur")); return ;;
    'dp-sgd --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'filter --method') COMPREPLY=($(compgen -W "zcdp basic rdp gaussian" -- "$cur")); return ;;
    'filter --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'filter --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'gaussian --solve') COMPREPLY=($(compgen -W "sigma times" -- "$cur")); return ;;
    'gaussian --method') COMPREPLY=($(compgen -W "optimal zcdp rdp" -- "$cur")); return ;;
    'gaussian --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'gaussian --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'generalization --solve') COMPREPLY=($(compgen -W "samples" -- "$cur")); return ;;
    'generalization --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'iterative-gaussian --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'kl-bound --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'laplace --solve') COMPREPLY=($(compgen -W "scale times" -- "$cur")); return ;;
    'laplace --method') COMPREPLY=($(compgen -W "optimal zcdp rdp" -- "$cur")); return ;;
    'laplace --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'laplace --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'majority --design') COMPREPLY=($(compgen -W "all constant subsample double-subsample optimal" -- "$cur")); return ;;
    'majority --class') COMPREPLY=($(compgen -W "monotone free" -- "$cur")); return ;;
    'majority --prior') COMPREPLY=($(compgen -W "half common mean vote" -- "$cur")); return ;;
    'majority --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'pate --aggregator') COMPREPLY=($(compgen -W "lnmax gnmax confident-gnmax" -- "$cur")); return ;;
    'pate --solve') COMPREPLY=($(compgen -W "queries sigma" -- "$cur")); return ;;
    'pate --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'pate --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'rr-prob --composition') COMPREPLY=($(compgen -W "simple general" -- "$cur")); return ;;
    'rr-prob --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex statement github junit" -- "$cur")); return ;;
    'theorems --verdict') COMPREPLY=($(compgen -W "exact proved unsound per-instance" -- "$cur")); return ;;
    'theorems --format') COMPREPLY=($(compgen -W "text json csv tsv markdown latex bibtex" -- "$cur")); return ;;
    esac
    case "${COMP_WORDS[1]} $cur" in
    *" -"*) ;;
    'theorems '*) COMPREPLY=($(compgen -W "bagging-with-exact bagging-with-published bagging-with-naive bagging-without-exact bagging-without-published bagging-independent-exact bagging-independent-published bagging-independent-tightness bagging-poisson-exact bagging-remove bagging-add bagging-replace amplify-point amplify-profile amplify-grouped amplify-replaced amplify-add amplify-with-pair amplify-with-bbg amplify-with-hybrid amplify-composed amplify-dominating amplify-with-mixture compose-optimal compose-basic compose-basic-sum compose-advanced compose-kov-sum compose-kov-log compose-kov-hoeffding compose-rdp compose-zcdp compose-zcdp-simple compose-zcdp-classic compose-filter filter-zcdp filter-basic filter-renyi filter-gaussian filter-optimal odometer-optimal compose-pairs dp-sgd-pld compose-cells compose-cells-greatest compose-renyi compose-zcdp-sum he2021-theorem-4 he2021-theorem-4-corrected he2021-corollary-1 he2021-corollary-1-corrected he2021-corollary-2 he2021-corollary-2-corrected he2021-corollary-2-sharp he2021-theorem-5 he2021-theorem-6 he2021-theorem-6-corrected kl-tight kl-bun-steinke kl-dwork-rothblum kl-dwork divergence-total-variation divergence-total-variation-sum divergence-total-variation-pinsker divergence-chi-squared divergence-squared-hellinger divergence-renyi divergence-renyi-sum divergence-renyi-quadratic divergence-renyi-max divergence-max gaussian-exact gaussian-classic laplace-exact discrete-laplace-exact discrete-gaussian-exact discrete-gaussian-continuous bounded-range-exact dp-sgd-renyi dp-sgd-basic dp-sgd-moments dp-sgd-moments-printed dp-sgd-clt approx-profile gdp-profile zcdp-to-dp zcdp-to-dp-classic zcdp-to-dp-gaussian rdp-to-dp rdp-to-dp-single rdp-to-dp-classic rdp-to-dp-variation cdp-to-dp pure-to-rdp pure-to-rdp-quadratic pure-to-rdp-mironov zcdp-to-rdp rdp-between pure-to-zcdp pure-to-zcdp-classic gdp-to-zcdp cdp-to-zcdp igmm-gaussian igmm-certified igmm-published generalization-certified generalization-certified-failure generalization-theorem-1 generalization-theorem-3 generalization-mean generalization-theorem-2 generalization-mean-nissim-stemmer generalization-nissim-stemmer-quoted generalization-dwork-quoted majority-optimal majority-constant majority-constant-composed majority-double-subsample majority-subsample majority-given majority-lower-bound majority-lemma-3-2 rr-prob-simple rr-prob-general rr-prob-independent rr-prob-printed pate-gaussian pate-laplace pate-pure pate-renyi pate-moments pate-stop-after pate-lnmax-instance pate-gnmax-instance pate-lnmax-script pate-bagging-instance pate-bagging-published adv-approx adv-one-direction adv-yeom adv-rr-principle adv-zcdp adv-approx-zcdp adv-pinsker adv-bretagnolle-huber adv-gaussian-from-zcdp adv-rdp adv-gdp adv-profile adv-bagging adv-inverse accuracy-prior tpr-at-fpr ppv-fpr ppv-pure ppv-approx-nofpr posterior-pure posterior-approx-published loss-tail-approx loss-tail-class loss-tail-pair attribute-adv rero-f rero-linear rero-replace-uniform rero-replace-shortlist rero-replace-prior cp-limit audit-fisher audit-cp audit-cp-sidak audit-curve audit-gdp audit-gdp-to-eps audit-logkatz audit-bayes audit-coin onerun-pure onerun-exact onerun-adaptive onerun-fdp onerun-profile onerun-2023 audit-plan" -- "$cur")); return ;;
    'completion '*) COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur")); return ;;
    *) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    esac
    case "${COMP_WORDS[1]}" in
    advantage) COMPREPLY=($(compgen -W "--approx --pure --gdp --zcdp --rdp --of --delta --prior --fpr --tpr --secrets --kappa --belief --members --trainings --group --game --solve --max-advantage --adjacency --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    audit) COMPREPLY=($(compgen -W "--true-positives --positives --false-positives --negatives --correct --trials --one-run --canaries --guesses --positions --target-delta --confidence --split --method --looks --claim --mu --claim-point --inclusion --said-in --target-epsilon --assume-gaussian --plan --claim-epsilon --accuracy --tpr --fpr --power --adjacency --max-epsilon --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    bagging-with) COMPREPLY=($(compgen -W "--dataset-size --subsample-size --models --target-epsilon --target-delta --base-epsilon --base-delta --base-adjacency --solve --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    bagging-without) COMPREPLY=($(compgen -W "--dataset-size --subsample-size --models --subsamples --target-epsilon --target-delta --base-epsilon --base-delta --base-adjacency --solve --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    bagging-poisson) COMPREPLY=($(compgen -W "--sampling-rate --models --target-epsilon --target-delta --base-epsilon --base-delta --base-adjacency --solve --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    compose) COMPREPLY=($(compgen -W "--mechanism --epsilon --delta --times --target-delta --target-epsilon --slack --method --claim --add --solve --uses --use-delta --adaptive --by-entry --from --to --group-size --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --width --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    convert) COMPREPLY=($(compgen -W "--pure --approx --zcdp --rdp --cdp --gdp --target-delta --target-epsilon --order --to --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    curve) COMPREPLY=($(compgen -W "--mechanism --epsilon --delta --times --epsilon-range --delta-range --group-size --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --width --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    discrete-gaussian) COMPREPLY=($(compgen -W "--sigma2 --solve --sensitivity --times --target-delta --target-epsilon --method --group-size --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    divergence) COMPREPLY=($(compgen -W "--epsilon --delta --times --mechanism --order --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    dp-sgd) COMPREPLY=($(compgen -W "--noise-multiplier --sampling-rate --steps --dataset-size --batch-size --epochs --group-size --target-delta --target-epsilon --method --sampling --solve --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --width --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    filter) COMPREPLY=($(compgen -W "--mechanism --add --method --order --slack --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    gaussian) COMPREPLY=($(compgen -W "--sigma --solve --sensitivity --times --target-delta --target-epsilon --method --group-size --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    generalization) COMPREPLY=($(compgen -W "--epsilon --delta --samples --failure --gap --one-sided --sets --selection --solve --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    iterative-gaussian) COMPREPLY=($(compgen -W "--dataset-size --batch-size --times --diameter --sigma --delta --slack --target-epsilon --target-delta --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    kl-bound) COMPREPLY=($(compgen -W "--epsilon --times --mechanism --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    laplace) COMPREPLY=($(compgen -W "--scale --solve --sensitivity --times --target-delta --target-epsilon --method --group-size --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    majority) COMPREPLY=($(compgen -W "--mechanisms --epsilon --delta --mechanism --allowance --target-epsilon --target-delta --design --sample --slack --class --prior --means --gamma --votes --vote-mean --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    pate) COMPREPLY=($(compgen -W "--aggregator --inverse-scale --sigma --sigma-threshold --teachers --threshold --votes --instance --classes --queries --answered --target-delta --target-epsilon --solve --adjacency --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    rr-prob) COMPREPLY=($(compgen -W "--mechanisms --epsilon --delta --allowance --target-epsilon --target-delta --composition --slack --max-epsilon --max-delta --max-time --max-memory --threads --digits --all --format --json --plot --plot-data --quiet --help" -- "$cur")) ;;
    theorems) COMPREPLY=($(compgen -W "--search --verdict --command --format --json --quiet --help" -- "$cur")) ;;
    batch) COMPREPLY=($(compgen -W "--jobs --quiet --help" -- "$cur")) ;;
    completion) COMPREPLY=($(compgen -W "--help" -- "$cur")) ;;
    esac
}
complete -F _dpacct dpacct
