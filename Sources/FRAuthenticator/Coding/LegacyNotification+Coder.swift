import Foundation
import LegacyStore
import PushBridgeCore

extension LegacyNotification {
    /// Reads an archived notification; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader) {
        guard
            let messageId = archive.text(.messageId),
            let challenge = archive.text(.challenge),
            let mechanismUUID = archive.text(.mechanismUUID),
            let ttl = archive.number(.ttl),
            let timeAdded = archive.date(.timeAdded)
        else { return nil }
        self.init(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: mechanismUUID,
            ttl: ttl,
            timeAdded: timeAdded
        )
        pending = archive.flag(.pending)
        approved = archive.flag(.approved)
        loadBalancer = archive.text(.loadBalanceKey)
        customPayload = archive.text(.customPayload)
        messageText = archive.text(.message)
        pushType = archive.text(.pushType)
        numbersChallenge = archive.text(.numbersChallenge)
        contextInfo = archive.text(.contextInfo)
    }

    func write(to archive: ArchiveWriter) {
        archive.write(message.id, for: .messageId)
        archive.write(message.challenge, for: .challenge)
        archive.write(loadBalancer, for: .loadBalanceKey)
        archive.write(ttl, for: .ttl)
        archive.write(mechanismUUID, for: .mechanismUUID)
        archive.write(timeAdded, for: .timeAdded)
        archive.write(pending, for: .pending)
        archive.write(approved, for: .approved)
        archive.write(customPayload, for: .customPayload)
        archive.write(messageText, for: .message)
        archive.write(pushType, for: .pushType)
        archive.write(numbersChallenge, for: .numbersChallenge)
        archive.write(contextInfo, for: .contextInfo)
    }
}
