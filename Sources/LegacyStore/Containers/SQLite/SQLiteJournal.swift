import Foundation

/// How a database keeps changes that are not in its file yet.
struct SQLiteJournal {
    /// How to read the database without writing anything beside it.
    enum Access: Equatable {
        /// Through its file, under SQLite's locks.
        case locked
        /// Its file alone: there is no write-ahead log, and nobody has the database open.
        case alone
        /// With its log and the log's index, which somebody may be using: the index is not written to.
        case indexed
        /// From a private copy: there is a log without an index, and SQLite would make one.
        case copied
    }

    /// The database, with symbolic links resolved, as SQLite names what lies beside it.
    let file: URL
    /// Whether it uses a write-ahead log.
    let isWriteAhead: Bool
    /// How to read it.
    let access: Access

    init(of url: URL) throws(LegacyStoreError) {
        file = url.resolvingSymlinksInPath()
        isWriteAhead = try Self.usesWriteAheadLog(url)
        // To SQLite a log counts as soon as it is there, whatever the header says.
        let hasLog = FileFault.exists(CompanionFile.log.url(of: file))
        let hasIndex = FileFault.exists(CompanionFile.index.url(of: file))
        if hasLog {
            access = hasIndex ? .indexed : .copied
        } else {
            access = isWriteAhead ? .alone : .locked
        }
    }

    /// What to open.
    var pathForReading: String {
        switch access {
        case .locked, .copied: file.path
        case .alone: file.sqlitePath("immutable=1")
        case .indexed: file.sqlitePath("readonly_shm=1")
        }
    }

    // Bytes 18 and 19 of the header are 2 in a database with a write-ahead log.
    private static func usesWriteAheadLog(_ url: URL) throws(LegacyStoreError) -> Bool {
        let header = try ByteReader(url).prefix(20)
        return header.count == 20 && header[18] == 2 && header[19] == 2
    }
}

extension URL {
    /// The file as SQLite opens it with an option.
    func sqlitePath(_ option: String) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        return path.addingPercentEncoding(withAllowedCharacters: allowed).map { "file://\($0)?\(option)" }
            ?? path
    }
}
