// POST /artifacts/{id}/links
import { CreateArtifactLink } from '#contract/exports.ts';
import { limits } from '#contract/limits.ts';
import { actorOf } from '#domain/access/actor.ts';
import { checkMark, formatFor } from '#domain/artifacts/formats.ts';
import { openArtifact } from '#domain/artifacts/open-artifact.ts';
import { auditLink, linkTo } from '#domain/artifacts/signed-links.ts';
import { api } from '#edge/api.ts';
import { baseUrlOf } from '#edge/base-url.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api(
  'CreateArtifactLink',
  byKey,
  async ({ request, request_id, caller, params, json }) => {
    const {
      format,
      bom,
      expires_in_seconds = limits.artifact_link_default_seconds,
    } = check(CreateArtifactLink, request.body.length === 0 ? {} : await json());
    const { id, kind, close } = await openArtifact(caller.workspace.workspace_id, params.id);
    close();
    if (format) formatFor(kind, format);
    checkMark(format ?? 'json', bom);
    const expires_at = Date.now() + expires_in_seconds * 1000;
    await auditLink(caller, id, actorOf({ caller, request_id }));
    const to = { artifact_id: id, key_id: caller.key.key_id, expires_at, format, withMark: bom === 1 };
    const path = await linkTo(to);
    return reply(201, { url: baseUrlOf(request) + path, expires_at });
  },
);
