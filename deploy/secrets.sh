#!/bin/sh
# Writes deploy/.env for the compose files, with the name of the house and secrets of its own, unless it is there:
#     sh deploy/secrets.sh cards.example.org
set -eu
name=${1:?say by which name people open the house: sh deploy/secrets.sh cards.example.org}
file=$(dirname "$0")/.env
if [ -e "$file" ]; then
    echo "$file is there, and stays as it is." >&2
    exit 0
fi
secret() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077
cat > "$file" <<END
CARDHOUSE_NAME=$name
CARDHOUSE_KEY=$(secret)
CARDHOUSE_ADMIN_KEY=$(secret)
POSTGRES_PASSWORD=$(secret)
END
echo "$file was written; nobody else can read it."
