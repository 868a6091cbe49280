import Foundation
import PingOath
import PushBridgeCore
import Testing

@Suite("One-time codes")
struct CodeTests {
    /// The vectors of RFC 6238, appendix B.
    @Test(arguments: StorageKind.allCases)
    func theCodesOfATOTPMatchTheTestVectorsOfTheRFC(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.totp()).id
        for (time, code) in [(59.0, "94287082"), (1_111_111_109, "07081804"), (20_000_000_000, "65353130")] {
            fixture.clock.set(time)
            #expect(try await fixture.client.generateCode(id) == code)
        }
    }

    @Test(arguments: [(30.0, 30, 0.0), (59.0, 1, 29.0 / 30), (59.5, 1, 29.5 / 30), (45.0, 15, 0.5)])
    func aCodeLastsToTheEndOfItsPeriod(_ time: Double, _ remaining: Int, _ progress: Double) async throws {
        let fixture = try await OathClientFixture()
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.totp()).id
        fixture.clock.set(time)
        let info = try await fixture.client.generateCodeWithValidity(id)
        #expect(info.timeRemaining == remaining)
        #expect(info.progress == progress)
        #expect((info.totalPeriod, info.counter) == (30, -1))
    }

    /// The vectors of RFC 4226, appendix D.
    @Test(arguments: StorageKind.allCases)
    func aCounterIncreasesWithEveryCode(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.hotp()).id
        #expect(try await fixture.client.generateCode(id) == "755224")
        let info = try await fixture.client.generateCodeWithValidity(id)
        #expect(info.code == "287082")
        #expect((info.counter, info.timeRemaining, info.totalPeriod, info.progress) == (2, -1, 0, 0))
        #expect(try await fixture.storage.retrieveOathCredential(credentialId: id)?.counter == 2)
    }

    @Test(arguments: StorageKind.allCases)
    func noTwoCallsGetTheSameCounter(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind) { $0.enableCredentialCache = true }
        let client = fixture.client
        let id = try await client.addCredentialFromUri(OathClientFixture.hotp()).id
        let counters = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await client.generateCodeWithValidity(id).counter }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counters.sorted() == Array(1...50))
        #expect(try await client.getCredential(id)?.counter == 50)
    }

    @Test func twoClientsOnOneStoreGetDifferentCounters() async throws {
        let fixture = try await OathClientFixture(.sqlite)
        let storage = fixture.storage
        let (one, other) = (fixture.client, try await OathClient.createClient { $0.storage = storage })
        let id = try await one.addCredentialFromUri(OathClientFixture.hotp()).id
        let counters = try await withThrowingTaskGroup(of: Int.self) { group in
            for turn in 0..<20 {
                let client = turn.isMultiple(of: 2) ? one : other
                group.addTask { try await client.generateCodeWithValidity(id).counter }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counters.sorted() == Array(1...20))
    }

    @Test(arguments: StorageKind.allCases)
    func savingAnOldCopyKeepsTheCounter(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        var copy = try await fixture.client.addCredentialFromUri(OathClientFixture.hotp())
        _ = try await fixture.client.generateCode(copy.id)
        copy.displayIssuer = "Work"
        let saved = try await fixture.client.saveCredential(copy)
        #expect((saved.displayIssuer, saved.counter) == ("Work", 1))
        #expect(try await fixture.client.generateCode(copy.id) == "287082")
    }

    @Test func aCodeIsReturnedOnlyAfterItsCounterIsStored() async throws {
        let fixture = try await OathClientFixture(.own)
        let storage = try #require(fixture.storage as? OwnStorage)
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.hotp()).id
        storage.willFail(Outage())
        let error = await #expect(throws: OathStorageError.self) {
            try await fixture.client.generateCode(id)
        }
        guard case .storageFailure(_, let cause)? = error else {
            Issue.record("The error is \(String(describing: error)) instead of storageFailure.")
            return
        }
        #expect(cause is Outage)
        storage.willFail(nil)
        #expect(try await fixture.client.generateCode(id) == "755224")
    }

    /// If no one-time password can be made from an MD5 digest, the counter still increases.
    ///
    /// An MD5 digest has sixteen bytes, and its last four bits determine the offset of the four bytes that are used.
    /// With this key, fewer than four bytes follow the offset in the digests of some counters.
    @Test(arguments: StorageKind.allCases)
    func whenMD5CannotMakeACodeTheCounterStillAdvances(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let id = try await fixture.client.addCredentialFromUri(
            OathClientFixture.hotp("babs", "&algorithm=md5")
        ).id
        var failures = 0
        for _ in 0..<64 {
            do {
                #expect(try await fixture.client.generateCode(id).count == 6)
            } catch OathError.codeGenerationFailed(_, let cause) {
                #expect(cause as? OneTimePasswordError == .truncationOutOfBounds)
                failures += 1
            }
        }
        #expect(0 < failures && failures < 64)
        #expect(try await fixture.client.getCredential(id)?.counter == 64)
    }

    @Test func aCounterWithItsGreatestValueThrowsAnError() async throws {
        let fixture = try await OathClientFixture()
        let id = try await fixture.client.addCredentialFromUri(
            OathClientFixture.hotp("babs", "&counter=\(Int.max)")
        ).id
        await #expect(throws: OathError.codeGenerationFailed("The counter is at its maximum.", nil)) {
            try await fixture.client.generateCode(id)
        }
    }

    @Test func aTimeBefore1970HasNoCode() async throws {
        let fixture = try await OathClientFixture()
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.totp()).id
        fixture.clock.set(-1)
        let reason = "The counter is negative, or the time is before 1970."
        await #expect(throws: OathError.codeGenerationFailed(reason)) {
            try await fixture.client.generateCode(id)
        }
    }

    @Test func aPrintedCodeShowsNoDigits() async throws {
        let fixture = try await OathClientFixture()
        let id = try await fixture.client.addCredentialFromUri(OathClientFixture.totp()).id
        let info = try await fixture.client.generateCodeWithValidity(id)
        var dumped = ""
        dump(info, to: &dumped)
        #expect(!"\(info)\(dumped)".contains(info.code))
    }
}

private struct Outage: Error {}
