// The Terraform module of the template.

/** The name of a region, in every version of the provider: its argument `region` is one of the sixth only. */
const REGION = `\${data.aws_region.current.id}`;

/** One file: its variables, the stack, and what the stack gives. */
export function terraformModule({ bucketPrefix, key }: { bucketPrefix: string; key: string }): string {
  return `variable "name" { default = "RunService" }
variable "model" { description = "offline, bedrock:<model id>, or openai:<model>@<base url>" }
variable "parameters" { default = {} } # RetainDays, LogRetentionDays, StepMemoryMb, IndexMemoryMb, AllowOlderRelease
data "aws_region" "current" {}

resource "aws_cloudformation_stack" "run_service" {
  name         = var.name
  template_url = "https://${bucketPrefix}-${REGION}.s3.${REGION}.amazonaws.com/${key}"
  parameters   = merge({ Model = var.model }, var.parameters)
  capabilities = ["CAPABILITY_IAM"]
}

output "outputs" { value = aws_cloudformation_stack.run_service.outputs }
`;
}
