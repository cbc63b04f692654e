#!/bin/sh
# Ingests demo/ and asks four questions: a figure, a narrative one, a chain over two files, and the first again from the cache.
set -eu
polyrag="${BIN:-.venv/bin}/polyrag --data ${DATA:-.polyrag-demo}"
if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold= plain=; fi
say() { printf '\n%s$ polyrag %s%s\n' "$bold" "$*" "$plain"; }

say ingest demo
$polyrag ingest demo
for question in \
    "Qual foi a receita bruta total do Teatro Girassol?" \
    "Um bebê está chorando durante o espetáculo. Devo pedir que a família saia?" \
    "Quem preside o conselho que vota a pauta registrada no Ribalta?" \
    "Qual foi a receita bruta total do Teatro Girassol?"
do
    say ask --explain "\"$question\""
    $polyrag ask --explain "$question"
done
