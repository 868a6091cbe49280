import FRCore
import Foundation
import PushBridgeCore
import PushBridgeStore
import Security
import Testing

@Suite("An app's own items in Apple's keychain", .serialized)
struct KeychainServiceTests {
    init() {
        StandInKeychain.reset()
        StandInKeys.reset()
    }

    @Test func anItemIsReadableAfterTheFirstUnlock() {
        let service = KeychainService(service: "a", accessGroup: "group.one")
        #expect(service.set("1", key: "k"))
        StandInKeychain.with { $0.device = .locked }
        #expect(service.getString("k") == "1")
        #expect(StandInKeychain.with { $0.accessibility(service: "a", account: "k") } == "ck")
        #expect(KeychainService.validateAccessGroup(service: "a", accessGroup: "group.two"))
        #expect(!KeychainService.validateAccessGroup(service: "a", accessGroup: "group.other"))
    }

    @Test func theTeamIsThePrefixOfTheFirstGroup() {
        #expect(KeychainService.getAppleTeamId() == nil)
        StandInKeychain.with { $0.groups = ["ABCDE12345.com.example.app"] }
        #expect(KeychainService.getAppleTeamId() == "ABCDE12345")
        #expect(KeychainService(service: "com.forgerock.ios.teamId").allItems()?.isEmpty == true)
    }

    @Test func certificatesAndKeysAreReadBack() {
        let service = KeychainService(service: "a")
        let first = SecCertificate(der: Data([1]))
        let second = SecCertificate(der: Data([2]))
        #expect(service.setCertificate(first, label: "l") && service.setCertificate(second, label: "l"))
        #expect(service.getCertificate("l") === second)
        #expect(service.getCertificate("m") == nil && service.getIdentities("l") == nil)
        let key = SecKey { _, sealed in .success(sealed) }
        #expect(service.setRSAKey(key, applicationTag: "t"))
        #expect(service.getRSAKey("t") === key && service.getRSAKey("l") == nil)
    }

    @Test func aSecuredKeySealsValuesAndReadsOlderValues() throws {
        let key = try #require(SecuredKey(applicationTag: "t"))
        let (sealing, plain) = (KeychainService(service: "a", securedKey: key), KeychainService(service: "a"))
        #expect(plain.set("old", key: "older") && sealing.set("new", key: "newer"))
        #expect(sealing.getString("older") == "old" && sealing.getString("newer") == "new")
        #expect(plain.getData("newer") != Data("new".utf8))
        let again = try #require(SecuredKey(applicationTag: "t"))
        #expect(again.decrypt(data: try #require(key.encrypt(data: Data([7])))) == Data([7]))
    }
}
