/// Stands in for a type that both packages have.
public enum AuthMigration {}
