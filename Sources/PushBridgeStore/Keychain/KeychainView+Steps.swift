import PushBridgeCore

extension KeychainView {
    /// What is to be done to the keychain so that it holds the changes.
    func steps(for changes: StoreChanges) throws -> [KeychainStep] {
        guard !changes.isEmpty else { return [] }
        return try steps(PushCredentialForm.self, changes.pushCredentials)
            + steps(OathCredentialForm.self, changes.oathCredentials)
            + steps(NotificationForm.self, changes.notifications)
            + tokenSteps(changes.deviceToken)
            + recordSteps(LedgerEntryForm.self, changes.ledger)
            + recordSteps(PreservedRecordForm.self, changes.preserved)
    }

    private func steps<Form: KeychainForm>(
        _ form: Form.Type,
        _ changes: ValueChanges<String, Form.Value>
    ) throws -> [KeychainStep] {
        let saved = changes.saved
        let gone = changes.removed.subtracting(saved.map(\.id)).sorted()
        return try gone.map { removal(form, $0) }
            + saved.map { try form.step(storing: $0.value, account: $0.id, services: shelf.services) }
    }

    /// There is one token, so every other item goes.
    private func tokenSteps(_ changes: ValueChanges<DeviceTokenID, PushDeviceToken>) throws -> [KeychainStep]
    {
        guard !changes.isEmpty else { return [] }
        let form = DeviceTokenForm.self
        let saved = try changes.saved.map {
            try form.step(storing: $0.value, account: form.account, services: shelf.services)
        }
        let gone = try accounts(form).filter { $0 != form.account || saved.isEmpty }
        return gone.map { removal(form, $0) } + saved
    }

    /// What was recorded before keeps its place, unless it was removed in between.
    private func recordSteps<Form: KeychainForm>(
        _ form: Form.Type,
        _ changes: ValueChanges<RecordFingerprint, Form.Value>
    ) throws -> [KeychainStep] {
        guard !changes.isEmpty else { return [] }
        var index = try index(form)
        let gone = changes.removed.compactMap { index[$0]?.text }.sorted()
        let saved = try changes.saved.map { id, value in
            let known = changes.removed.contains(id) ? nil : index[id]
            let place = known ?? index.newPlace(for: id)
            return try form.step(storing: value, account: place.text, services: shelf.services)
        }
        return gone.map { removal(form, $0) } + saved
    }

    private func removal<Form: KeychainForm>(_ form: Form.Type, _ account: String) -> KeychainStep {
        KeychainStep(service: form.service(in: shelf.services), account: account, data: nil)
    }
}
