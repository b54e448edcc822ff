#compdef dpacct
# zsh completion for dpacct, made by 'dpacct completion zsh'
_dpacct() {
    local -a commands
    commands=(
        'advantage:what an attacker gains from a guarantee, at most'
        'audit:what the outcomes of an attack prove against a claim'
        'bagging-with:bagging that samples with replacement'
        'bagging-without:bagging that samples without replacement'
        'bagging-poisson:bagging that samples each record independently'
        'compose:compose (epsilon, delta)-DP mechanisms'
        'convert:from one statement of privacy to another'
        'curve:the privacy profile of a composition as rows'
        'discrete-gaussian:discrete Gaussian noise epsilon, delta, or the variance'
        'divergence:divergences implied by differential privacy'
        'dp-sgd:DP-SGD epsilon, delta, noise, steps or rate for a budget'
        'filter:may the next release still be made?'
        'gaussian:Gaussian noise epsilon, delta, or sigma for a budget'
        'generalization:generalization bounds from differential privacy'
        'iterative-gaussian:noisy iterative learning on mini-batches'
        'kl-bound:Kullback-Leibler divergence of pure DP mechanisms'
        'laplace:Laplace noise epsilon, delta, or the scale for a budget'
        'majority:noise functions for a private majority'
        'pate:noisy votes of teachers trained on disjoint records'
        'rr-prob:truthful probability of randomized response for a majority'
        'theorems:list or explain the theorems behind the figures'
        'batch:answer JSON Lines from standard input'
        'completion:print the completions for bash, zsh or fish'
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=${words[2]}
    shift words
    (( CURRENT-- ))
    case $command in
        advantage) _arguments -s \
            '--approx=[from (E, D)-DP]:E,D:' \
            '--pure=[from E-DP]:E:' \
            '--gdp=[from MU-GDP]:MU:' \
            '--zcdp=[from (XI, RHO)-zCDP]:RHO[,XI]:' \
            '*--rdp=[from a point of a Renyi curve; repeatable]:ALPHA,R:' \
            '*--of=[from a mechanism, by its profile; repeatable]:MECHANISM:' \
            '--delta=[delta of approximate zCDP, or beside what is solved for]:D:' \
            '--prior=[probability that the record is in]:P:' \
            '*--fpr=[true positives at this rate of false ones; repeatable]:X:' \
            '--tpr=[false positives at this rate of true ones]:Y:' \
            '--secrets=[reconstruction of one of N equally likely secrets]:N:' \
            '--kappa=[reconstruction of a secret of any prior]:K:' \
            '--belief=[how often the posterior odds rise by more than e^T]:T:' \
            '--members=[members to be revealed]:M:' \
            '--trainings=[members that each of R trainings reveals]:R:' \
            '--group=[records that enter or leave together]:G:' \
            '--game=[which worlds the attacker tells apart]:GAME:(in-out replaced)' \
            '--solve=[the largest guarantee with that advantage]:WHAT:(epsilon rho mu)' \
            '--max-advantage=[check is the advantage at most A?]:A:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        audit) _arguments -s \
            '--true-positives=[trials with the record that the attack called in]:TP:' \
            '--positives=[trials with the record]:N1:' \
            '--false-positives=[trials without the record that it called in]:FP:' \
            '--negatives=[trials without the record]:N0:' \
            '--correct=[guesses that were right]:W:' \
            '--trials=[independent trials with a fair coin each]:N:' \
            '--one-run[the guesses are about canaries of one training run]' \
            '--canaries=[canaries whose inclusion was tossed for]:M:' \
            '--guesses=[canaries about which the attack guessed]:R:' \
            '--positions=[which canaries are guessed was named before the run]:HOW:(fixed)' \
            '--target-delta=[delta of the claim]:D:' \
            '--confidence=[probability with which the statement is true]:C:' \
            '--split=[share of the error probability for the true positives]:S:' \
            '--method=[which limit; chosen before the data are seen]:NAME:(fisher cp sidak coin exact adaptive fdp profile 2023)' \
            '--looks=[figures announced, of which this is one]:K:' \
            '--claim=[the claim is mu-GDP, not (epsilon, delta)-DP]:KIND:(gdp)' \
            '--mu=[the mu that is claimed]:MU:' \
            '*--claim-point=[(E, D)-DP is part of the claim; repeatable]:E,D:' \
            '--inclusion=[probability with which a canary was included]:RHO:' \
            '--said-in=[guesses that said in, right or wrong]:K:' \
            '--target-epsilon=[also report the least delta there]:T:' \
            '--assume-gaussian[epsilon as if the true curve were Gaussian]' \
            '--plan[how many trials can refute --claim-epsilon]' \
            '--claim-epsilon=[the epsilon to be refuted]:E:' \
            '--accuracy=[how often the attack is right]:A:' \
            '--tpr=[true positive rate of the attack]:T:' \
            '--fpr=[false positive rate of the attack]:F:' \
            '--power=[probability with which the claim is to be refuted]:P:' \
            '--adjacency=[what the trials changed]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        bagging-with) _arguments -s \
            '--dataset-size=[records in the training set (n)]:SIZE:' \
            '--subsample-size=[records drawn for each base model (k)]:SUBSAMPLE:' \
            '--models=[number of base models (N)]:MODELS:' \
            '--target-epsilon=[report delta at this epsilon, by direction]:E:' \
            '--target-delta=[report epsilon at this delta (private learner)]:D:' \
            '--base-epsilon=[epsilon of the base learner on its subsample]:E:' \
            '--base-delta=[delta of the base learner]:D:' \
            '--base-adjacency=[relation of the learners own guarantee]:RELATION:(as-needed add-remove replace-one both)' \
            '--solve=[largest value within --max-epsilon, --max-delta]:PARAMETER:(k N)' \
            '--adjacency=[neighbouring data sets]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        bagging-without) _arguments -s \
            '--dataset-size=[records in the training set (n)]:SIZE:' \
            '--subsample-size=[records drawn for each base model (k)]:SUBSAMPLE:' \
            '--models=[number of base models (N)]:MODELS:' \
            '--subsamples=[how the N subsamples relate]:HOW:(disjoint independent)' \
            '--target-epsilon=[report delta at this epsilon, by direction]:E:' \
            '--target-delta=[report epsilon at this delta (private learner)]:D:' \
            '--base-epsilon=[epsilon of the base learner on its subsample]:E:' \
            '--base-delta=[delta of the base learner]:D:' \
            '--base-adjacency=[relation of the learners own guarantee]:RELATION:(as-needed add-remove replace-one both)' \
            '--solve=[largest value within --max-epsilon, --max-delta]:PARAMETER:(k N)' \
            '--adjacency=[neighbouring data sets]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        bagging-poisson) _arguments -s \
            '--sampling-rate=[probability that a record enters a subsample]:Q:' \
            '--models=[number of base models (N)]:MODELS:' \
            '--target-epsilon=[report delta at this epsilon, by direction]:E:' \
            '--target-delta=[report epsilon at this delta (private learner)]:D:' \
            '--base-epsilon=[epsilon of the base learner on its subsample]:E:' \
            '--base-delta=[delta of the base learner]:D:' \
            '--base-adjacency=[relation of the learners own guarantee]:RELATION:(as-needed add-remove replace-one both)' \
            '--solve=[largest value within --max-epsilon, --max-delta]:PARAMETER:(q N)' \
            '--adjacency=[neighbouring data sets]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        compose) _arguments -s \
            '*--mechanism=[add a mechanism to the list; repeatable]:EPS[,DELTA][xTIMES]:' \
            '--epsilon=[privacy loss of the mechanism]:E:' \
            '--delta=[delta of the mechanism]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--slack=[slack of the theorems that need one]:D:' \
            '--method=[the composition theorem that decides]:THEOREM:(optimal basic advanced kov he2021 zcdp rdp filter)' \
            '--claim=[audit a claimed guarantee exit 0 proved, 1 refuted]:EPS,DELTA:' \
            '*--add=[what may be released next; repeatable]:EPS[,DELTA][xTIMES]:' \
            '--solve=[largest uses or epsilon, or least noise, in the budget]:PARAMETER:(times epsilon slack sigma scale)' \
            '--uses=[with --solve epsilon, sigma, scale how many share it]:T:' \
            '--use-delta=[with --solve epsilon delta of each of them]:D:' \
            '--adaptive=[do later parameters depend on earlier outputs?]:WHAT:(mechanisms parameters)' \
            '--by-entry[what each entry of the list costs, in a table]' \
            '--from=[only entries of the list dated DATE or later]:DATE:' \
            '--to=[only entries of the list dated DATE or earlier]:DATE:' \
            '--group-size=[neighbours differ in up to K records; 1 if not given]:K:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--width=[how wide the enclosure may be, in place of digits]:W:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        convert) _arguments -s \
            '--pure=[from E-DP]:E:' \
            '--approx=[from (E, D)-DP]:E,D:' \
            '--zcdp=[from (XI, RHO)-zCDP]:RHO[,XI]:' \
            '*--rdp=[from a point of a Renyi curve; repeatable]:ALPHA,R:' \
            '--cdp=[from (MU, TAU)-CDP]:MU,TAU:' \
            '--gdp=[from MU-GDP]:MU:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--order=[report the Renyi divergence of this order]:ALPHA:' \
            '--to=[report rho and xi]:FORM:(zcdp)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        curve) _arguments -s \
            '*--mechanism=[add a mechanism to the list; repeatable]:EPS[,DELTA][xTIMES]:' \
            '--epsilon=[privacy loss of the mechanism]:E:' \
            '--delta=[delta of the mechanism]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '--epsilon-range=[delta at N epsilons from A to B, evenly spaced]:A:B:N:' \
            '--delta-range=[epsilon at N deltas from A to B, evenly in logarithm]:A:B:N:' \
            '--group-size=[neighbours differ in up to K records; 1 if not given]:K:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--width=[how wide the enclosure may be, in place of digits]:W:' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        discrete-gaussian) _arguments -s \
            '--sigma2=[sigma^2 the noise k has odds e^(-k^2/(2 sigma^2))]:S2:' \
            '--solve=[noise that keeps the budget, or the most uses that do]:PARAMETER:(sigma2 times)' \
            '--sensitivity=[how far neighbours move the query, integers up to 10^9]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--method=[the theorem that decides]:THEOREM:(optimal zcdp rdp)' \
            '--group-size=[neighbours differ in up to K records; 1 if not given]:K:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        divergence) _arguments -s \
            '--epsilon=[privacy loss of the mechanism]:E:' \
            '--delta=[delta of the mechanism]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '*--mechanism=[add a mechanism to a list; repeatable]:EPS[,DELTA][xTIMES]:' \
            '--order=[order of the Renyi divergence]:ALPHA:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        dp-sgd) _arguments -s \
            '--noise-multiplier=[standard deviation of the noise over the clipping norm]:S:' \
            '--sampling-rate=[probability with which a record is in a batch]:Q:' \
            '--steps=[noisy steps]:T:' \
            '--dataset-size=[records in the training set]:SIZE:' \
            '--batch-size=[records in a batch, on average]:B:' \
            '--epochs=[passes over the data, in place of steps]:E:' \
            '--group-size=[records removed or added together; 1 if not given]:K:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--method=[how the steps are composed]:METHOD:(pld rdp)' \
            '--sampling=[how batches are drawn]:HOW:(poisson)' \
            '--solve=[least noise, most steps or most sampling that fit]:PARAMETER:(noise-multiplier steps sampling-rate)' \
            '--adjacency=[neighbouring data sets]:RELATION:(add-remove)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--width=[how wide the enclosure may be, in place of digits]:W:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        filter) _arguments -s \
            '*--mechanism=[add a mechanism to what was released; repeatable]:EPS[,DELTA][xTIMES]:' \
            '*--add=[what is to be released next; repeatable]:EPS[,DELTA][xTIMES]:' \
            '--method=[what is added up]:METHOD:(zcdp basic rdp gaussian)' \
            '--order=[order of the Renyi divergence that rdp adds up]:ALPHA:' \
            '--slack=[part of max-delta that the conversion spends]:D:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        gaussian) _arguments -s \
            '--sigma=[standard deviation of the noise]:S:' \
            '--solve=[least noise or most uses within the budget]:PARAMETER:(sigma times)' \
            '--sensitivity=[how far neighbours move the query]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--method=[the theorem that decides]:THEOREM:(optimal zcdp rdp)' \
            '--group-size=[neighbours differ in up to K records; 1 if not given]:K:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        generalization) _arguments -s \
            '--epsilon=[epsilon of the learner, replace-one adjacency]:E:' \
            '--delta=[delta of the learner]:D:' \
            '--samples=[training examples]:N:' \
            '--failure=[failure probability allowed]:B:' \
            '--gap=[report the failure probability for this gap]:A:' \
            '--one-sided[bound Gen from above only]' \
            '--sets=[sets of the multi-sample bounds]:K:' \
            '--selection=[epsilon of the selection in the certified bound]:E2:' \
            '--solve=[the least number of samples for --gap and --failure]:WHAT:(samples)' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        iterative-gaussian) _arguments -s \
            '--dataset-size=[records in the data set]:N:' \
            '--batch-size=[records in the mini-batch of a step]:B:' \
            '--times=[steps]:T:' \
            '--diameter=[most that the updates of two records differ by]:D:' \
            '--sigma=[standard deviation of the noise added to the mean]:S:' \
            '--delta=[delta of one step in the published statement]:D:' \
            '--slack=[slack of the published statement]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        kl-bound) _arguments -s \
            '--epsilon=[privacy loss of the mechanism]:E:' \
            '--times=[uses of the mechanism]:T:' \
            '*--mechanism=[add a mechanism to a list; repeatable]:EPS[xTIMES]:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        laplace) _arguments -s \
            '--scale=[scale b of the noise, of density e^(-|x|/b)/(2b)]:B:' \
            '--solve=[least noise or most uses within the budget]:PARAMETER:(scale times)' \
            '--sensitivity=[how far neighbours move the query]:D:' \
            '--times=[uses of the mechanism]:T:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--method=[the theorem that decides]:THEOREM:(optimal zcdp rdp)' \
            '--group-size=[neighbours differ in up to K records; 1 if not given]:K:' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        majority) _arguments -s \
            '--mechanisms=[number of voting mechanisms, odd]:K:' \
            '--epsilon=[epsilon of each mechanism]:E:' \
            '--delta=[delta of each mechanism]:D:' \
            '*--mechanism=[add a group of mechanisms; repeatable]:EPS[,DELTA][xCOUNT]:' \
            '--allowance=[target epsilon as a multiple of --epsilon]:M:' \
            '--target-epsilon=[target epsilon of the answer]:E:' \
            '--target-delta=[target delta of the answer]:D:' \
            '--design=[how the noise depends on the votes]:DESIGN:(all constant subsample double-subsample optimal)' \
            '--sample=[votes drawn by the subsample design]:K:' \
            '--slack=[slack of general composition, for a constant]:D:' \
            '--class=[the noise functions that the optimum is over]:CLASS:(monotone free)' \
            '--prior=[what the expected error is averaged over]:PRIOR:(half common mean vote)' \
            '--means=[means for --prior mean one, or one for each vote]:MU[,MU...]:' \
            '--gamma=[certify the noise function in FILE instead]:FILE:' \
            '--votes=[report the exact error at these vote probabilities]:P[,P...]:' \
            '--vote-mean=[the same for equal vote probabilities]:P:' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        pate) _arguments -s \
            '--aggregator=[how votes become an answer]:AGGREGATOR:(lnmax gnmax confident-gnmax)' \
            '--inverse-scale=[of lnmax 1 over the scale of its Laplace noise]:L:' \
            '--sigma=[standard deviation of the Gaussian noise on each count]:S:' \
            '--sigma-threshold=[of confident-gnmax noise of the threshold test]:S:' \
            '--teachers=[how many teachers vote]:N:' \
            '--threshold=[of confident-gnmax what the most votes must reach]:T:' \
            '--votes=[votes for each class, a line for each query]:FILE:' \
            '--instance=[of DP bagging fractions of teachers by vote, by record]:FILE:' \
            '--classes=[classes of each query of --instance, 2 unless given]:C:' \
            '--queries=[queries asked, answered or not]:Q:' \
            '--answered=[of confident-gnmax the most queries that are answered]:Q:' \
            '--target-delta=[report epsilon at this delta]:D:' \
            '--target-epsilon=[report delta at this epsilon]:E:' \
            '--solve=[most queries or least noise within the budget]:PARAMETER:(queries sigma)' \
            '--adjacency=[the relation that the mechanisms are stated for]:RELATION:(add-remove replace-one)' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        rr-prob) _arguments -s \
            '--mechanisms=[number of voting mechanisms, odd]:K:' \
            '--epsilon=[privacy loss of each mechanism]:E:' \
            '--delta=[delta of each mechanism]:D:' \
            '--allowance=[target M times the epsilon of one mechanism]:M:' \
            '--target-epsilon=[target this epsilon]:E:' \
            '--target-delta=[target delta]:D:' \
            '--composition=[how the privacy of the majority is bounded]:HOW:(simple general)' \
            '--slack=[slack of general composition]:D:' \
            '--max-epsilon=[check does (E, D)-DP hold? exit 1 when not]:E:' \
            '--max-delta=[check does (E, D)-DP hold? exit 1 when not]:D:' \
            '--max-time=[seconds of processor time to stop refining after]:SECONDS:' \
            '--max-memory=[memory for numbers, in bytes]:BYTES:' \
            '--threads=[threads that work on one query, 1 to 64]:N:' \
            '--digits=[significant digits to prove, 1 to 10000]:D:' \
            '--all[every bound that applies, with its verdict]' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex statement github junit)' \
            '--json[short for --format json]' \
            '--plot=[draw the answer FILE.svg, FILE.png, FILE.pdf, or -]:FILE:' \
            '--plot-data[print what --plot would draw as CSV]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        theorems) _arguments -s \
            '--search=[those that hold the words, in any of their texts]:WORDS:' \
            '--verdict=[those of that verdict]:VERDICT:(exact proved unsound per-instance)' \
            '--command=[those that the command shows]:COMMAND:' \
            '--format=[output form]:FORM:(text json csv tsv markdown latex bibtex)' \
            '--json[short for --format json]' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:word:(bagging-with-exact bagging-with-published bagging-with-naive bagging-without-exact bagging-without-published bagging-independent-exact bagging-independent-published bagging-independent-tightness bagging-poisson-exact bagging-remove bagging-add bagging-replace amplify-point amplify-profile amplify-grouped amplify-replaced amplify-add amplify-with-pair amplify-with-bbg amplify-with-hybrid amplify-composed amplify-dominating amplify-with-mixture compose-optimal compose-basic compose-basic-sum compose-advanced compose-kov-sum compose-kov-log compose-kov-hoeffding compose-rdp compose-zcdp compose-zcdp-simple compose-zcdp-classic compose-filter filter-zcdp filter-basic filter-renyi filter-gaussian filter-optimal odometer-optimal compose-pairs dp-sgd-pld compose-cells compose-cells-greatest compose-renyi compose-zcdp-sum he2021-theorem-4 he2021-theorem-4-corrected he2021-corollary-1 he2021-corollary-1-corrected he2021-corollary-2 he2021-corollary-2-corrected he2021-corollary-2-sharp he2021-theorem-5 he2021-theorem-6 he2021-theorem-6-corrected kl-tight kl-bun-steinke kl-dwork-rothblum kl-dwork divergence-total-variation divergence-total-variation-sum divergence-total-variation-pinsker divergence-chi-squared divergence-squared-hellinger divergence-renyi divergence-renyi-sum divergence-renyi-quadratic divergence-renyi-max divergence-max gaussian-exact gaussian-classic laplace-exact discrete-laplace-exact discrete-gaussian-exact discrete-gaussian-continuous bounded-range-exact dp-sgd-renyi dp-sgd-basic dp-sgd-moments dp-sgd-moments-printed dp-sgd-clt approx-profile gdp-profile zcdp-to-dp zcdp-to-dp-classic zcdp-to-dp-gaussian rdp-to-dp rdp-to-dp-single rdp-to-dp-classic rdp-to-dp-variation cdp-to-dp pure-to-rdp pure-to-rdp-quadratic pure-to-rdp-mironov zcdp-to-rdp rdp-between pure-to-zcdp pure-to-zcdp-classic gdp-to-zcdp cdp-to-zcdp igmm-gaussian igmm-certified igmm-published generalization-certified generalization-certified-failure generalization-theorem-1 generalization-theorem-3 generalization-mean generalization-theorem-2 generalization-mean-nissim-stemmer generalization-nissim-stemmer-quoted generalization-dwork-quoted majority-optimal majority-constant majority-constant-composed majority-double-subsample majority-subsample majority-given majority-lower-bound majority-lemma-3-2 rr-prob-simple rr-prob-general rr-prob-independent rr-prob-printed pate-gaussian pate-laplace pate-pure pate-renyi pate-moments pate-stop-after pate-lnmax-instance pate-gnmax-instance pate-lnmax-script pate-bagging-instance pate-bagging-published adv-approx adv-one-direction adv-yeom adv-rr-principle adv-zcdp adv-approx-zcdp adv-pinsker adv-bretagnolle-huber adv-gaussian-from-zcdp adv-rdp adv-gdp adv-profile adv-bagging adv-inverse accuracy-prior tpr-at-fpr ppv-fpr ppv-pure ppv-approx-nofpr posterior-pure posterior-approx-published loss-tail-approx loss-tail-class loss-tail-pair attribute-adv rero-f rero-linear rero-replace-uniform rero-replace-shortlist rero-replace-prior cp-limit audit-fisher audit-cp audit-cp-sidak audit-curve audit-gdp audit-gdp-to-eps audit-logkatz audit-bayes audit-coin onerun-pure onerun-exact onerun-adaptive onerun-fdp onerun-profile onerun-2023 audit-plan)' ;;
        batch) _arguments -s \
            '--jobs=[processes that answer lines at once, 1 to 64]:J:' \
            '--quiet[print nothing, only exit]' \
            '--help[show this help]' \
            '*:file:_files' ;;
        completion) _arguments -s \
            '--help[show this help]' \
            '*:word:(bash zsh fish)' ;;
    esac
}
_dpacct "$@"
