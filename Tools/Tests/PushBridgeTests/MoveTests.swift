import Foundation
import PushBridgeCommandLineTestSupport
import Testing

/// The command that moves a credential database to another place or gives it another key.
@Suite struct MoveTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    @Test func aMoveTransfersAndProvesEveryRecord() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        let (old, new) = (pushbridge.path("old.db"), pushbridge.path("new.db"))
        #expect(try pushbridge("migrate", store, "--to", old).status == 0)
        let before = try pushbridge("credentials", old).output

        let plan = try pushbridge("move", old, "--to", new, "--dry-run")
        #expect(plan.status == 0)
        #expect(plan.output.contains("(dry run)"))
        #expect(try pushbridge.contents()["new.db"] == nil)
        #expect(try pushbridge("credentials", old).output == before)

        let move = try pushbridge("move", old, "--to", new)
        #expect(move.status == 0)
        #expect(move.output.contains("push credential"))
        let after = try pushbridge("credentials", new).output
        #expect(after == before.replacingOccurrences(of: old, with: new))
        #expect(try pushbridge("verify", store, "--against", new).status == 0)

        let again = try pushbridge("move", old, "--to", new)
        #expect(again.status == 0)
        #expect(again.output.contains("There is nothing to move."))
    }

    @Test func aMoveWithInvalidStoresOrKeysIsRefused() throws {
        let store = try pushbridge.fixture("everyday.jsonl")
        let old = pushbridge.path("old.db")
        #expect(try pushbridge("migrate", store, "--to", old).status == 0)
        let itself = try pushbridge("move", old, "--to", old)
        #expect(itself.status != 0)
        #expect(itself.diagnostics.contains("are the same"))
        let missing = try pushbridge("move", pushbridge.path("none.db"), "--to", pushbridge.path("new.db"))
        #expect(missing.status == 66)
        #expect(try pushbridge.contents()["new.db"] == nil)
        try FileManager.default.removeItem(atPath: old + ".key")
        #expect(try pushbridge("move", old, "--to", pushbridge.path("new.db")).status == 77)
    }
}
