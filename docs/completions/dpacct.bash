# bash completion for dpacct, made by 'dpacct --generate bash'
_dpacct()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "--help --version bagging-with bagging-without compose curve kl-bound rr-prob theorems batch" -- "$cur"))
        return
    fi
    case "${COMP_WORDS[1]} $prev" in
    'bagging-with --solve') COMPREPLY=($(compgen -W "k N" -- "$cur")); return ;;
    'bagging-with --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'bagging-with --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'bagging-without --solve') COMPREPLY=($(compgen -W "k N" -- "$cur")); return ;;
    'bagging-without --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'bagging-without --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'compose --method') COMPREPLY=($(compgen -W "optimal basic advanced kov he2021 zcdp rdp filter" -- "$cur")); return ;;
    'compose --solve') COMPREPLY=($(compgen -W "times epsilon slack" -- "$cur")); return ;;
    'compose --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'compose --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'curve --adjacency') COMPREPLY=($(compgen -W "add-remove replace-one" -- "$cur")); return ;;
    'curve --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'kl-bound --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'rr-prob --composition') COMPREPLY=($(compgen -W "simple general" -- "$cur")); return ;;
    'rr-prob --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    'theorems --format') COMPREPLY=($(compgen -W "text json csv" -- "$cur")); return ;;
    esac
    case "$cur" in
    -*) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    esac
    case "${COMP_WORDS[1]}" in
    bagging-with) COMPREPLY=($(compgen -W "--dataset-size --subsample-size --models --solve --adjacency --max-epsilon --max-delta --digits --all --format --json --quiet --help" -- "$cur")) ;;
    bagging-without) COMPREPLY=($(compgen -W "--dataset-size --subsample-size --models --solve --adjacency --max-epsilon --max-delta --digits --all --format --json --quiet --help" -- "$cur")) ;;
    compose) COMPREPLY=($(compgen -W "--mechanism --target-delta --target-epsilon --slack --method --claim --add --solve --uses --use-delta --adjacency --max-epsilon --max-delta --max-time --max-memory --digits --all --format --json --quiet --help" -- "$cur")) ;;
    curve) COMPREPLY=($(compgen -W "--mechanism --epsilon-range --delta-range --adjacency --max-epsilon --max-delta --max-time --max-memory --digits --format --json --quiet --help" -- "$cur")) ;;
    kl-bound) COMPREPLY=($(compgen -W "--epsilon --times --mechanism --digits --all --format --json --quiet --help" -- "$cur")) ;;
    rr-prob) COMPREPLY=($(compgen -W "--mechanisms --epsilon --delta --allowance --target-epsilon --target-delta --composition --slack --max-epsilon --max-delta --digits --all --format --json --quiet --help" -- "$cur")) ;;
    theorems) COMPREPLY=($(compgen -W "--format --json --quiet --help" -- "$cur")) ;;
    batch) COMPREPLY=($(compgen -W "--quiet --help" -- "$cur")) ;;
    esac
}
complete -F _dpacct dpacct
