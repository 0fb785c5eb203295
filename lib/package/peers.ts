// The versions of the CDK with which the construct makes the same template. The oldest and the newest are tried.

/** `aws-cdk-lib`: from, and below. */
export const cdkRange = { from: '2.260.0', below: '3.0.0' } as const;

/** The peers of the package. */
export const peerDependencies = {
  'aws-cdk-lib': `>=${cdkRange.from} <${cdkRange.below}`,
  constructs: '^10.5.0',
} as const;
