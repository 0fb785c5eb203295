// The quota of StartExecution in large regions: a bucket of 1,300 starts that fills by 300 a second. It is full at first.
const BUCKET = 1300;
const STARTS_A_SECOND = 300;

/** Says of each start, by its time in epoch ms, whether Step Functions admits it. */
export function startQuota(): (nowMs: number) => boolean {
  let left = BUCKET;
  let filledAt = 0;
  return (nowMs) => {
    left = Math.min(BUCKET, left + ((nowMs - filledAt) / 1000) * STARTS_A_SECOND);
    filledAt = nowMs;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
