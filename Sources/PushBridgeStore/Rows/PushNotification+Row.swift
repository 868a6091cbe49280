import PushBridgeCore

extension PushNotification: StoredRow {
    static let table = Table(
        "notification",
        noun: "notification",
        columns: [
            "id", "credential_id", "message_id", "challenge", "ttl", "sent_at", "created_at", "push_type",
            "message_text", "custom_payload", "numbers_challenge", "context_info", "load_balancer", "pending",
            "approved", "responded_at", "legacy_ttl", "legacy_push_type",
            "claim_id", "claim_expires_at", "custom_handler",
        ]
    )

    var rowID: String { id }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(id)
        try row.write(credentialId)
        try row.write(messageId)
        try row.write(challenge)
        try row.write(ttl)
        try row.write(sentAt)
        try row.write(createdAt)
        try row.write(pushType.rawValue)
        try row.write(messageText)
        try row.write(customPayload)
        try row.write(numbersChallenge)
        try row.write(contextInfo)
        try row.write(loadBalancer)
        try row.write(pending)
        try row.write(approved)
        try row.write(respondedAt)
        // Present exactly if the legacy details are.
        try row.write(legacy?.timeToLive)
        try row.write(legacy?.pushType)
        try row.write(answerClaim?.id)
        try row.write(answerClaim?.expiresAt)
        try row.write(customHandler)
    }

    init(from row: inout RowReader) throws(StoreError) {
        let id = try row.text()
        row.record = id
        let credentialId = try row.text()
        self.init(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: try row.text(), challenge: try row.text()),
            ttl: try row.int(),
            sentAt: try row.date(),
            createdAt: try row.date()
        )
        pushType = try row.name()
        messageText = try row.optionalText()
        customPayload = try row.optionalText()
        numbersChallenge = try row.optionalText()
        contextInfo = try row.optionalText()
        loadBalancer = try row.optionalText()
        pending = try row.bool()
        approved = try row.bool()
        respondedAt = try row.optionalDate()
        let timeToLive = try row.optionalDouble()
        let legacyPushType = try row.optionalText()
        legacy = timeToLive.map { LegacyNotificationDetails(timeToLive: $0, pushType: legacyPushType) }
        let claim = try row.optionalText()
        let claimEnd = try row.optionalDate()
        if let claim, let claimEnd { answerClaim = AnswerClaim(id: claim, expiresAt: claimEnd) }
        customHandler = try row.optionalText()
    }
}
