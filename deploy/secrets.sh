#!/bin/sh
# Writes deploy/.env for the compose files, with the server's name and secrets of its own. What is there stays as it is:
#     sh deploy/secrets.sh cards.example.org
set -eu
name=${1:?say by which name people open the server: sh deploy/secrets.sh cards.example.org}
file=$(dirname "$0")/.env
secret() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
add() { grep -q "^$1=" "$file" || echo "$1=$2" >> "$file"; }
umask 077
touch "$file"
add CARDHOUSE_NAME "$name"
add CARDHOUSE_KEY "$(secret)"
add CARDHOUSE_ADMIN_KEY "$(secret)"
add POSTGRES_PASSWORD "$(secret)"
add CARDHOUSE_KEEP 365d
echo "$file is complete; nobody else can read it."
