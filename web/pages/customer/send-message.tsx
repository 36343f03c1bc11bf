import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Upload, UploadId } from '../../../contract/traffic/uploads.ts';
import { sendersQuery, verifiedAddresses } from '../../customer/senders/senders-query.ts';
import { useDevices } from '../../fleet/devices/devices-query.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { clearKeptDraft } from '../../traffic/sending/kept-draft.ts';
import { offeredDevices } from '../../traffic/sending/offered-devices.ts';
import { waysOf } from '../../traffic/sending/offered-ways.ts';
import { Results } from '../../traffic/sending/results/results.tsx';
import { SendForm } from '../../traffic/sending/send-form.tsx';
import { useSchedule } from '../../traffic/sending/use-schedule.tsx';
import { startup } from '../../traffic/startup/startup.ts';
import { BatchProgress } from '../../traffic/uploads/batch-progress.tsx';
import { Preflight } from '../../traffic/uploads/preflight.tsx';
import { SentBefore } from '../../traffic/uploads/sent-before.tsx';
import { UploadProgress } from '../../traffic/uploads/upload-progress.tsx';
import { uploadQuery } from '../../traffic/uploads/upload-queries.ts';
import { type UploadFlow, useUpload } from '../../traffic/uploads/use-upload.ts';
import { MessagesTabs } from './messages-tabs.tsx';
import classes from './send-message.module.css';

const route = getRouteApi('/dashboard/messages/send');

const Form = ({ flow }: { flow: UploadFlow }) => {
  const { phone, channel } = route.useSearch();
  const profile = useQuery(profileQuery);
  const ownId = profile.data?._id;
  // Without them messages are sent from the operator's address.
  const senders = useQuery({ ...sendersQuery(ownId ?? ('' as AccountId)), enabled: ownId !== undefined });
  // A list that can't be loaded keeps no other channel from being used.
  const devices = useDevices({ all: false });
  if (profile.data === undefined || !devices.isFetched)
    return profile.isError ? (
      <LoadFailure
        text={t('send.failed')}
        reason={profile.error.message}
        tryAgain={t('layout.try_again')}
        retrying={profile.isFetching}
        onRetry={profile.refetch}
      />
    ) : (
      <Skeleton height={420} radius="md" />
    );
  const { channels, availableSmsCountryCodes } = startup();
  const own = devices.data ?? [];
  const whatsapp = {
    ...channels.whatsapp,
    // One that is not RUNNING counts too: the form then says what is missing.
    available: channels.whatsapp.available || own.length > 0,
  };
  const [first, ...others] = waysOf(
    { ...channels, whatsapp },
    {
      sms: profile.data.setting.sms.dedicatedPhones,
      email: verifiedAddresses(senders.data?.senders ?? []),
    },
  );
  if (!first) return <Notice title={t('send.no_channel')} />;
  return (
    <SendForm
      accountId={profile.data._id}
      ways={[first, ...others]}
      devices={offeredDevices(own, channels.whatsapp)}
      countries={availableSmsCountryCodes}
      uploadFailure={flow.failure}
      onUpload={(request) => void flow.begin(request)}
      to={phone === undefined ? undefined : { phone, channel }}
    />
  );
};

type ReadyProps = Omit<ComponentProps<typeof Preflight>, 'schedule'>;

/** A file that was checked and may be sent, now or at a chosen time. */
const Ready = (props: ReadyProps) => <Preflight {...props} schedule={useSchedule()} />;

/** The file that the address names: still to be sent, or sent before. */
const Checked = ({
  uploadId,
  flow,
  onSent,
}: {
  uploadId: UploadId;
  flow: UploadFlow;
  onSent: () => void;
}) => {
  const navigate = route.useNavigate();
  const { data: upload, isError, error, isFetching, refetch } = useQuery(uploadQuery(uploadId));
  const leave = () => void navigate({ search: {} });
  const show = ({ _id, batchId }: Upload) =>
    void navigate({ search: { upload: _id, ...(batchId && { batch: batchId }) }, replace: true });
  if (!upload)
    return (
      <Panel title={t('send.check')}>
        {isError ? (
          <div className={classes.panels}>
            <LoadFailure
              text={t('send.check.gone')}
              reason={error.message}
              tryAgain={t('layout.try_again')}
              retrying={isFetching}
              onRetry={refetch}
            />
            <Button variant="default" className={classes.start} onClick={leave}>
              {t('send.form')}
            </Button>
          </div>
        ) : (
          <Skeleton height={260} radius="md" />
        )}
      </Panel>
    );
  const leaveSent = (sent: Upload) => {
    onSent();
    show(sent);
  };
  if (upload.state === 'READY') return <Ready upload={upload} onSent={leaveSent} onCancelled={leave} />;
  const { last } = flow;
  const again =
    last && last.file.name === upload.fileName ? () => void flow.begin(last, { again: true }) : undefined;
  return <SentBefore upload={upload} onAgain={again} onShow={() => show(upload)} onLeave={leave} />;
};

export const SendMessage = () => {
  const { upload: uploadId, batch: batchId } = route.useSearch() as { upload?: UploadId; batch?: BatchId };
  const navigate = route.useNavigate();
  const flow = useUpload((checked) => {
    queryClient.setQueryData(uploadQuery(checked._id).queryKey, checked);
    return navigate({ search: { upload: checked._id } });
  });
  const { uploading } = flow;
  const [sentFiles, setSentFiles] = useState(0);
  const clearForm = () => {
    const accountId = storedAccountId();
    if (accountId) clearKeptDraft(accountId);
    setSentFiles((count) => count + 1);
  };
  const forming = !uploading && !uploadId && !batchId;
  return (
    <>
      <PageTitle title={t('send.title')} />
      <MessagesTabs />
      <div className={classes.panels}>
        {uploading ? (
          <UploadProgress uploading={uploading} onCancel={flow.cancel} />
        ) : batchId ? (
          <BatchProgress
            key={batchId}
            batchId={batchId}
            uploadId={uploadId}
            onLeave={() => void navigate({ search: {} })}
          />
        ) : (
          uploadId && <Checked key={uploadId} uploadId={uploadId} flow={flow} onSent={clearForm} />
        )}
        {/* The form stays mounted, so that its texts and its file are kept until the reader comes back. */}
        <div hidden={!forming}>
          <Panel title={t('send.form')}>
            <Form key={sentFiles} flow={flow} />
          </Panel>
        </div>
        <Results />
      </div>
    </>
  );
};
