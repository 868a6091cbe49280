import PushBridgeCore
import Testing

@testable import LegacyStore

/// The classes that are accepted in each service.
struct ArchiveClassTests {
    @Test func eachClassIsAcceptedInOneService() throws {
        for (archive, service) in HandmadeArchive.all {
            let name = try name(of: archive)
            for other in LegacyService.allCases where other != service {
                let reason = "The record has the class \(name), which does not belong in this service."
                #expect(throws: LegacyRecordError.damaged(reason)) { try archive.record(in: other) }
            }
        }
    }

    @Test func theNameOfAClassMayLackTheModule() throws {
        for (archive, service) in HandmadeArchive.all {
            var bare = archive
            bare.className = .string(String(try name(of: archive).dropFirst(16)))
            #expect(try bare.record(in: service) == archive.record(in: service))
        }
    }

    @Test(arguments: ["Evil.Gadget", "FRAuthenticator.Accounts", ".", "..."])
    func theErrorContainsTheNameOfAnUnknownClass(_ name: String) {
        var archive = HandmadeArchive.account
        archive.className = .string(name)
        let reason = "The record has the class \(name), which does not belong in this service."
        #expect(throws: LegacyRecordError.damaged(reason)) { try archive.record(in: .account) }
    }

    /// An app with a renamed copy of the legacy SDK writes class names such as `X.FRAuthenticator.Account`;
    /// the error contains the module `X.FRAuthenticator`.
    @Test(arguments: ["Evil", "X.FRAuthenticator"])
    func theErrorContainsTheNameOfAnotherModule(_ module: String) throws {
        var archive = HandmadeArchive.account
        archive.className = .string("\(module).Account")
        let reason = """
            Pass --module \(module) if \(module) is a renamed copy of the legacy SDK: the record has the class \(module).Account.
            """
        #expect(throws: LegacyRecordError.unsupported(reason)) { try archive.record(in: .account) }
    }

    @Test func longClassNamesAreTruncatedInErrors() {
        var archive = HandmadeArchive.account
        archive.className = .string("Evil." + String(repeating: "x", count: 100_000))
        let name = "Evil." + String(repeating: "x", count: 55) + "…"
        let reason = "The record has the class \(name), which does not belong in this service."
        #expect(throws: LegacyRecordError.damaged(reason)) { try archive.record(in: .account) }
    }

    @Test(arguments: [
        "3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA", "ZMCnQ-NlnUfdcTO2Cgk", "twYT1Z7/tIcFwbnAHE==", "日本.Account",
    ])
    func namesThatMayBeSecretsAreNotShown(_ name: String) {
        var archive = HandmadeArchive.account
        archive.className = .string(name)
        #expect(
            throws: LegacyRecordError.damaged("The record has a class that does not belong in this service.")
        ) {
            try archive.record(in: .account)
        }
    }

    @Test func mechanismsOfUnknownKindAreUnsupported() {
        var archive = HandmadeArchive.push
        archive.className = .string("FRAuthenticator.WebAuthnMechanism")
        let reason = "Mechanisms of the class FRAuthenticator.WebAuthnMechanism are not supported."
        #expect(throws: LegacyRecordError(.unsupported, reason: reason)) {
            try archive.record(in: .mechanism)
        }
        archive.className = .string("FRAuthenticator.Passkey")
        let foreign =
            "The record has the class FRAuthenticator.Passkey, which does not belong in this service."
        #expect(throws: LegacyRecordError.damaged(foreign)) { try archive.record(in: .mechanism) }
        archive.ancestors = .array([.string("FRAuthenticator.Passkey"), .string("FRAuthenticator.Mechanism")])
        #expect(
            throws: LegacyRecordError(
                .unsupported,
                reason: "Mechanisms of the class FRAuthenticator.Passkey are not supported."
            )
        ) { try archive.record(in: .mechanism) }
    }

    private func name(of archive: HandmadeArchive) throws -> String {
        guard case .string(let name) = archive.className else { return "" }
        return name
    }
}
