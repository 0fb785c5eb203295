// The Terraform module of the template.

/** One file: its variables, the stack, and what the stack gives. */
export function terraformModule({ bucketPrefix, key }: { bucketPrefix: string; key: string }): string {
  return `variable "name" { default = "RunService" }
variable "model" { description = "offline, bedrock:<model id>, or openai:<model>@<base url>" }
variable "parameters" { default = {} } # RetainDays, LogRetentionDays, StepMemoryMb, IndexMemoryMb, AllowOlderRelease
data "aws_region" "current" {}

resource "aws_cloudformation_stack" "run_service" {
  name         = var.name
  template_url = "https://${bucketPrefix}-\${data.aws_region.current.region}.s3.\${data.aws_region.current.region}.amazonaws.com/${key}"
  parameters   = merge({ Model = var.model }, var.parameters)
  capabilities = ["CAPABILITY_IAM"]
}

output "outputs" { value = aws_cloudformation_stack.run_service.outputs }
`;
}
