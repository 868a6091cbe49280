import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Sealing")
struct SealingTests {
    @Test func noSecretIsInAnyFileInAnySpelling() throws {
        let files = try StoreFiles()
        let raw = [
            "a push secret of mine", "an oath secret of mine", "a spelling", "a challenge", "a token id",
        ]
        let payload = Data("a preserved payload".utf8)
        let store = try files.open(.create)
        var push = try PushCredential.sample(secret: raw[0]).filled()
        push.legacy?.secretSpelling = SharedSecret(utf8: raw[2])
        push.legacy?.registration?.challenge = SharedSecret(utf8: raw[3])
        let secret = try #require(SharedSecret(utf8: raw[1]))
        let oath = OathCredential(
            id: "oath",
            account: push.account,
            password: try OneTimePassword(secret: secret),
            movingFactor: .counter(1),
            createdAt: .distantPast
        )
        try store.write { view in
            try view.save(push)
            try view.save(oath)
            try view.save(PushDeviceToken(tokenId: raw[4], createdAt: .distantPast))
            try view.preserve(.sample("kept", payload: payload))
        }
        let open = try files.folder.contents()
        #expect(open["store.sqlite-wal"]?.isEmpty == false)
        try store.close()
        let closed = try files.folder.contents()
        for text in raw + [String(decoding: payload, as: UTF8.self)] {
            for spelling in spellings(of: Data(text.utf8)) {
                for file in Array(open.values) + Array(closed.values) {
                    #expect(file.range(of: spelling) == nil)
                }
            }
        }
    }

    @Test(
        arguments: [
            "UPDATE push_credential SET secret = (SELECT secret FROM push_credential WHERE id = 'other')",
            "UPDATE push_credential SET secret = legacy_secret_spelling",
            "UPDATE push_credential SET secret = (SELECT secret FROM oath_credential WHERE id = 'push')",
            "UPDATE push_credential SET secret = substr(secret, 1, length(secret) - 1)",
            "UPDATE push_credential SET secret = CAST(x'02' || substr(secret, 2) AS BLOB)",
            "UPDATE push_credential SET secret = x''",
            "UPDATE push_credential SET secret = x'01'",
        ]
    )
    func aSealedValueOpensInItsOwnPlaceOnly(_ change: String) throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { view in
            try view.save(PushCredential.sample().filled())
            try view.save(PushCredential.sample("other"))
            try view.save(OathCredential.sample("push"))
        }
        try files.tamper("\(change) WHERE id = 'push'")
        let sentence =
            "The sealed secret in push_credential does not open: it was moved, cut or changed."
        #expect(throws: StoreError(.damaged, record: "push", reason: sentence)) {
            try store.read { try $0.pushCredential(id: "push") }
        }
        #expect(try store.read { try $0.pushCredential(id: "other") } == .sample("other"))
    }

    @Test func sealingTheSameTwiceLooksDifferent() throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { try $0.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast)) }
        try store.close()
        let before = try files.folder.contents()["store.sqlite"]
        let again = try files.open()
        try again.write { try $0.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast)) }
        try again.close()
        #expect(try files.folder.contents()["store.sqlite"] != before)
    }

    private func spellings(of bytes: Data) -> [Data] {
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let base64 = bytes.base64EncodedString().prefix { $0 != "=" }
        let texts = [
            hex, hex.uppercased(), String(base64), Base64.encodeURLSafe(bytes), Base32.encode(bytes),
        ]
        return [bytes] + texts.map { Data($0.utf8) }
    }
}
