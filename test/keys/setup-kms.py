# Makes a KMS key, and a user who may use it. From then on moto checks signatures and rights.
import json
import sys

import boto3

endpoint = sys.argv[1]
made = dict(endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="y")
kms, iam = boto3.client("kms", **made), boto3.client("iam", **made)
key = kms.create_key()["KeyMetadata"]
kms.create_alias(AliasName="alias/gateway", TargetKeyId=key["KeyId"])
iam.create_user(UserName="gateway")
actions = [f"kms:{name}" for name in ("GenerateDataKey", "Decrypt", "ReEncrypt", "ReEncryptFrom", "ReEncryptTo")]
statement = {"Effect": "Allow", "Action": actions, "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
iam.put_user_policy(UserName="gateway", PolicyName="keys", PolicyDocument=policy)
secret = iam.create_access_key(UserName="gateway")["AccessKey"]
print(json.dumps({"arn": key["Arn"], "id": secret["AccessKeyId"], "secret": secret["SecretAccessKey"]}))
