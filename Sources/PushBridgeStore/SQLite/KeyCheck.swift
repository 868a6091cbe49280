import Crypto
import Foundation
import GRDB
import PushBridgeCore

/// A sealed value that tells whether a key is the one a store was written with.
enum KeyCheck {
    private static let place = SealedPlace(table: "key_check", column: "proof", row: "this")

    /// Writes the value; once, when a store is made.
    static func write(with sealer: Sealer, to db: Database) throws {
        let proof = try sealer.seal(Data(), for: place)
        try db.execute(sql: "INSERT INTO key_check (id, proof) VALUES (?, ?)", arguments: [place.row, proof])
    }

    /// The value, if there is one.
    static func proof(in db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT proof FROM key_check")
    }

    /// Whether the value opens.
    static func passes(_ proof: Data?, with sealer: Sealer) -> Bool {
        guard let proof else { return false }
        do {
            _ = try sealer.open(proof, from: place)
            return true
        } catch {
            return false
        }
    }
}
