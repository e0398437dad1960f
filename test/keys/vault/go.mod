module tools

go 1.25.3

require github.com/hashicorp/vault v1.21.1

require (
	github.com/hashicorp/vault/api/auth/approle v0.11.0 // indirect
	github.com/hashicorp/vault/api/auth/userpass v0.11.0 // indirect
)
replace github.com/99designs/keyring => github.com/Jeffail/keyring v1.2.3
replace github.com/ma314smith/signedxml v1.1.1 => github.com/moov-io/signedxml v1.1.1
