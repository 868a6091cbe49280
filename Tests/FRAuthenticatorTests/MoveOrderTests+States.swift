import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport
import Testing

// Each cell of the table in the documentation of `RecordPlace`.
extension MoveOrderTests {
    /// The columns of the table.
    enum Event: CaseIterable, Sendable {
        case startWithPermission, processEnds, deviceLocked, itemRefused, previousReleaseRan, moveBack

        /// The state after the event.
        func next(after state: RecordPlace.State) -> RecordPlace.State {
            switch (self, state) {
            case (.startWithPermission, _): .moved
            case (.deviceLocked, .inPlace): .moving
            case (.itemRefused, .inPlace), (.itemRefused, .moving): .moved
            case (.moveBack, .moved), (.moveBack, .movingBack): .inPlace
            case (.processEnds, _), (.deviceLocked, _), (.previousReleaseRan, _), (.itemRefused, _),
                (.moveBack, _):
                state
            }
        }
    }

    private var state: RecordPlace.State {
        get throws { try #require(RecordPlace(of: .keychain(phone)) { store }).state() }
    }

    private func moveBack(_ process: Process) throws {
        _ = try process.migration.moveBack(on: process.authenticator)
    }

    /// Brings the device to a state; returns the process that did it.
    private func reach(_ state: RecordPlace.State) throws -> Process {
        switch state {
        case .inPlace:
            return process(.inPlace)
        case .moving:
            keychain.refuse("\(Self.alice)-totp", with: -25308)
            defer { keychain.refuse("\(Self.alice)-totp", with: nil) }
            return process(.atOnce)
        case .moved:
            return process(.atOnce)
        case .movingBack:
            let app = process(.atOnce)
            keychain.refuseWriting("state", with: -50)
            defer { keychain.refuseWriting("state", with: nil) }
            #expect(throws: StoreError.self) { try moveBack(app) }
            return app
        }
    }

    /// Each event leads to the state that the table names, and loses no account and no change.
    @Test(arguments: RecordPlace.State.allCases, Event.allCases)
    func anEventLeadsToTheStateOfTheTable(_ before: RecordPlace.State, _ event: Event) async throws {
        let app = try reach(before)
        #expect(try state == before)
        var expected = Self.accounts
        var name = app.client.getAccount(identifier: Self.bob)?.displayAccountName
        var counter = try app.hotp().counter
        switch event {
        case .startWithPermission:
            try await previousRelease().enrol("late")
            expected = (expected + ["Example-late"]).sorted()
            #expect(process(.atOnce).usable == expected)
        case .processEnds:
            #expect(process(starts: false).usable == expected)
        case .deviceLocked:
            keychain.hidesAllItems = true
            let locked = process(.atOnce)
            #expect(locked.accounts == (before.isInPlace ? [] : expected))
            #expect(try state == event.next(after: before))
            keychain.hidesAllItems = false
            #expect(locked.usable == expected)
            // The reading of the accounts has repeated the start.
            #expect(try state == .moved)
            return
        case .itemRefused:
            keychain.refuse(Self.bob, with: -50)
            let refused = process(.atOnce)
            #expect(refused.accounts == expected)
            // Before a move, and after a start that could read the item, the account is not locked.
            #expect(refused.client.getAccount(identifier: Self.bob)?.lock == before.isInPlace)
            keychain.refuse(Self.bob, with: nil)
        case .previousReleaseRan:
            let earlier = try previousRelease().client
            let bob = try #require(earlier.getAccount(identifier: Self.bob))
            let hotp = try #require(bob.mechanisms.first as? HOTPMechanism)
            _ = try hotp.generateCode()
            bob.displayAccountName = "Robert"
            #expect(try earlier.updateAccount(account: bob))
            // After an interrupted move back, the names in the store have precedence.
            if before != .movingBack { name = "Robert" }
            counter = hotp.counter
            if before.isInPlace {
                #expect(app.client.getAccount(identifier: Self.bob)?.displayAccountName == name)
                #expect(try app.hotp().counter == counter)
            }
        case .moveBack:
            try moveBack(process(starts: false))
        }
        #expect(try state == event.next(after: before))

        // A later start completes an interrupted move, and a later move back completes an interrupted move back.
        if before == .movingBack { try moveBack(process(starts: false)) }
        let next = process(.atOnce)
        #expect(try state == .moved && next.usable == expected)
        let bob = try #require(next.client.getAccount(identifier: Self.bob))
        #expect(bob.displayAccountName == name)
        #expect(!bob.lock)
        #expect(try next.hotp().counter == counter)
        try moveBack(next)
        let left = try previousRelease().client.getAllAccounts().filter { !$0.mechanisms.isEmpty }
        #expect(try state == .inPlace && left.map(\.identifier).sorted() == expected)
    }
}
