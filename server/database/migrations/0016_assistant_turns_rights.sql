-- a hosted Supabase gives its public roles every new sequence
REVOKE ALL ON SEQUENCE "assistant_turns_number_seq" FROM PUBLIC, anon, authenticated;
