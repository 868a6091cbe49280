import Testing

@testable import LegacyStore

/// Names that archives on users' devices contain.
///
/// These names must never change.
struct ArchiveSpellingTests {
    @Test func fieldNamesAreFrozen() {
        #expect(
            LegacyField.allCases.compactMap(\.archiveKey) == [
                "issuer", "accountName", "displayIssuer", "displayAccountName", "imageUrl", "backgroundColor",
                "timeAdded", "policies", "lockingPolicy", "lock", "mechanismUUID", "type", "version",
                "secret",
                "uid", "resourceId", "algorithm", "digits", "period", "counter", "authEndpoint",
                "regEndpoint",
                "messageId", "challenge", "loadBalancer", "loadBalanceKey", "ttl", "pending", "approved",
                "customPayload", "message", "pushType", "numbersChallenge", "contextInfo", "tokenId",
            ]
        )
    }

    @Test func classNamesAreFrozen() {
        #expect(
            LegacyArchiveClass.allCases.map(\.rawValue) == [
                "FRAuthenticator.Account", "FRAuthenticator.PushMechanism", "FRAuthenticator.TOTPMechanism",
                "FRAuthenticator.HOTPMechanism", "FRAuthenticator.PushNotification",
                "FRAuthenticator.PushDeviceToken",
            ]
        )
        #expect(
            LegacyArchiveAncestor.allCases.map(\.rawValue) == [
                "FRAuthenticator.OathMechanism", "FRAuthenticator.Mechanism", "NSObject",
            ]
        )
    }

    @Test func theLayoutOfArchivesIsFrozen() {
        #expect(
            KeyedArchiveKey.allCases.map(\.rawValue) == [
                "$archiver", "$version", "$top", "root", "$objects", "$class", "$classname", "$classes",
                "NS.string",
            ]
        )
        #expect(KeyedArchive.archiver == "NSKeyedArchiver")
        #expect(KeyedArchive.version == 100_000)
        #expect(KeyedArchive.null == "$null")
    }
}
