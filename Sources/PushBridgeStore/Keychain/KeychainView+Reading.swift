import PushBridgeCore

extension KeychainView: NotificationNaming {
    func forEachNotification(_ query: NotificationQuery, _ body: (PushNotification) throws -> Void) throws {
        try selected(by: query).forEach(body)
    }

    func notification(id: String) throws -> PushNotification? { try value(NotificationForm.self, id) }

    /// A damaged notification, whose message nobody knows, is passed over: no new push may fail for its sake.
    func notification(messageId: String) throws -> PushNotification? {
        for id in try notificationIDs() {
            do {
                if let found = try notification(id: id), found.messageId == messageId { return found }
            } catch let error as StoreError where error.code == .damaged {
                continue
            }
        }
        return nil
    }

    func notificationCount(_ query: NotificationQuery) throws -> Int {
        query == .all ? try accounts(NotificationForm.self).count : try selected(by: query).count
    }

    func notificationIDs() throws -> [String] { try accounts(NotificationForm.self) }

    /// The newest token, should the keychain hold several.
    func deviceToken() throws -> PushDeviceToken? {
        try all(DeviceTokenForm.self).max { $0.createdAt < $1.createdAt }
    }

    func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try index(LedgerEntryForm.self)[record].flatMap { try value(LedgerEntryForm.self, $0.text) }
    }

    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try index(LedgerEntryForm.self).inOrder
            .compactMap { try value(LedgerEntryForm.self, $0.text) }
            .forEach(body)
    }

    func preservedFingerprints() throws -> [RecordFingerprint] {
        try index(PreservedRecordForm.self).inOrder.map(\.record)
    }

    func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord? {
        try index(PreservedRecordForm.self)[record].flatMap { try value(PreservedRecordForm.self, $0.text) }
    }

    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try index(PreservedRecordForm.self).inOrder
            .compactMap { try value(PreservedRecordForm.self, $0.text) }
            .forEach(body)
    }

    private func selected(by query: NotificationQuery) throws -> [PushNotification] {
        let all = try all(NotificationForm.self).filter(query.selects).sorted {
            ($0.sentAt, $0.id) < ($1.sentAt, $1.id)
        }
        return query.limit.map { Array(all.prefix(max(0, $0))) } ?? all
    }
}
