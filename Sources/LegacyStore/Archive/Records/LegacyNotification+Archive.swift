import PushBridgeCore

extension LegacyNotification {
    /// Reads an archived notification.
    init(_ object: ArchivedObject) throws(LegacyRecordError) {
        self.init(
            message: PushMessage(id: try object.text(.messageId), challenge: try object.text(.challenge)),
            mechanismUUID: try object.text(.mechanismUUID),
            ttl: try object.number(.ttl),
            timeAdded: try object.date(.timeAdded)
        )
        pending = try object.flag(.pending)
        approved = try object.flag(.approved)
        loadBalancer = try object.optionalText(.loadBalanceKey)
        customPayload = try object.optionalText(.customPayload)
        messageText = try object.optionalText(.message)
        pushType = try object.optionalText(.pushType)
        numbersChallenge = try object.optionalText(.numbersChallenge)
        contextInfo = try object.optionalText(.contextInfo)
    }

    /// The notification as the fields of an archive.
    var archiveFields: KeyedArchiveBuilder {
        var archive = KeyedArchiveBuilder()
        archive.add(message.id, for: .messageId)
        archive.add(message.challenge, for: .challenge)
        archive.add(loadBalancer, for: .loadBalanceKey)
        archive.add(ttl, for: .ttl)
        archive.add(mechanismUUID, for: .mechanismUUID)
        archive.add(timeAdded, for: .timeAdded)
        archive.add(pending, for: .pending)
        archive.add(approved, for: .approved)
        archive.add(customPayload, for: .customPayload)
        archive.add(messageText, for: .message)
        archive.add(pushType, for: .pushType)
        archive.add(numbersChallenge, for: .numbersChallenge)
        archive.add(contextInfo, for: .contextInfo)
        return archive
    }
}
